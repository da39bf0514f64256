/**
 * What RxDB uses of the package `broadcast-channel`, on the browser's own channel. In a bundle it stands for the package,
 * whose ways for browsers without one are most of it (`tools/lean-rxdb.ts`).
 */
type Hear = (message: unknown) => void;

class NativeBroadcastChannel {
  readonly #channel: globalThis.BroadcastChannel;
  readonly #listeners = new Set<Hear>();

  constructor(name: string) {
    this.#channel = new globalThis.BroadcastChannel(name);
    this.#channel.addEventListener('message', ({ data }) => {
      for (const hear of this.#listeners) hear(data);
    });
  }

  postMessage(message: unknown): void {
    this.#channel.postMessage(message);
  }

  addEventListener(_type: 'message', hear: Hear): void {
    this.#listeners.add(hear);
  }

  removeEventListener(_type: 'message', hear: Hear): void {
    this.#listeners.delete(hear);
  }

  close(): void {
    this.#channel.close();
  }
}

export { NativeBroadcastChannel as BroadcastChannel };
