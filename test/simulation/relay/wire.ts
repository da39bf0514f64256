/** A channel between a watch and a carrier, in which one frame meets a fault. */
import type { ByteChannel } from '../../../client/client.ts';

export const frameFaults = ['cut', 'dropped', 'doubled', 'swapped', 'changed', 'watch dies', 'carrier dies'] as const;
export type FrameFault = (typeof frameFaults)[number];

export interface WirePlan {
  fault: FrameFault;
  /** Counts the writes of both sides, from 1. */
  atFrame: number;
  /** Chooses the changed bit. */
  bit: number;
}

interface WireOptions {
  plan: WirePlan | undefined;
  onFault: (fault: FrameFault) => void;
  onActivity: () => void;
}

export class Wire {
  readonly watch: ByteChannel;
  readonly carrier: ByteChannel;
  readonly #options: WireOptions;
  readonly #ends: ReadableStreamDefaultController<Uint8Array>[] = [];
  #frames = 0;
  #isCut = false;
  #swapped: (() => void) | undefined;

  constructor(options: WireOptions) {
    this.#options = options;
    const [toWatch, toCarrier] = [this.#readable(0), this.#readable(1)];
    this.watch = { readable: toWatch, writable: this.#writable(1) };
    this.carrier = { readable: toCarrier, writable: this.#writable(0) };
  }

  /** Ends both directions, as two devices that part do. */
  cut(): void {
    if (this.#isCut) return;
    this.#isCut = true;
    for (const end of this.#ends) end.close();
  }

  #readable(index: number): ReadableStream<Uint8Array> {
    return new ReadableStream({
      start: (controller) => void (this.#ends[index] = controller),
      cancel: () => this.cut(),
    });
  }

  #writable(to: number): WritableStream<Uint8Array> {
    return new WritableStream({
      write: (bytes) => this.#pass(to, bytes),
      close: () => this.cut(),
      abort: () => this.cut(),
    });
  }

  #pass(to: number, bytes: Uint8Array): void {
    if (this.#isCut) throw new TypeError('the channel is gone');
    const { plan, onFault, onActivity } = this.#options;
    onActivity();
    const deliver = (given = bytes) => {
      if (!this.#isCut) this.#ends[to]?.enqueue(given);
    };
    if (++this.#frames !== plan?.atFrame) {
      deliver();
      this.#swapped?.();
      this.#swapped = undefined;
      return;
    }
    onFault(plan.fault);
    switch (plan.fault) {
      case 'dropped':
        return;
      case 'doubled':
        deliver();
        return deliver();
      case 'swapped':
        this.#swapped = deliver;
        return;
      case 'changed': {
        const changed = bytes.slice();
        const at = (plan.bit >> 3) % changed.length;
        changed[at] = changed[at]! ^ (1 << (plan.bit & 7));
        return deliver(changed);
      }
      case 'cut':
      case 'watch dies':
      case 'carrier dies':
        this.cut();
    }
  }
}
