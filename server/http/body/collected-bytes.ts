/**
 * Collects the pieces of a body in one growing buffer. An array of pieces could take far more memory than the body,
 * since a client may send pieces of one byte.
 */
import type { MemoryLease } from '../limits/memory-budget.ts';
import type { RefusedReply } from '../route-reply.ts';

export interface BodyLimits {
  bytesMax: number;
  lease: MemoryLease;
}

const bufferBytesMin = 4 * 1024;

export class CollectedBytes {
  readonly #limits: BodyLimits;
  #buffer = Buffer.alloc(0);
  #length = 0;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
  }

  add(piece: Uint8Array): RefusedReply | undefined {
    const length = this.#length + piece.length;
    const { bytesMax, lease } = this.#limits;
    if (length > bytesMax) return bodyTooLargeRefusal(bytesMax);
    if (length > this.#buffer.length) {
      const capacity = Math.min(bytesMax, Math.max(length, this.#buffer.length * 2, bufferBytesMin));
      const refusal = lease.take(capacity - this.#buffer.length);
      if (refusal) return refusal;
      const larger = Buffer.allocUnsafeSlow(capacity);
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    this.#buffer.set(piece, this.#length);
    this.#length = length;
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }
}

export function bodyTooLargeRefusal(bytesMax: number): RefusedReply {
  const detail = `The body may have ${bytesMax} bytes.`;
  return {
    ok: false,
    error: { code: 'payload_too_large', detail, members: { bytes_max: bytesMax } },
    endsConnection: true,
  };
}
