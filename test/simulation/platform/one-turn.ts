/**
 * Functions of the platform that would give one seed several histories: digests and compression end on a thread, whose end
 * has an order of its own, and work that takes long by `performance.now` goes on in a later turn of the event loop.
 */
import { createHash } from 'node:crypto';
import { deflateSync, gzipSync, Inflate, inflateSync } from 'node:zlib';

let uses = 0;

/** Digests and compresses in the same turn and finds no work long, in this process, until the returned function is called. */
export function useOneTurn(): () => void {
  uses += 1;
  const { subtle } = globalThis.crypto;
  const replaced: [object: object, name: string, value: unknown][] = [
    [subtle, 'digest', digest],
    [performance, 'now', () => 0],
    [Inflate.prototype, '_transform', collect],
    [Inflate.prototype, '_flush', inflateCollected],
  ];
  for (const [object, name, value] of replaced) Object.defineProperty(object, name, { value, configurable: true });
  const { CompressionStream } = globalThis;
  if (uses === 1) Object.assign(globalThis, { CompressionStream: CompressionInOneTurn });
  return () => {
    uses -= 1;
    if (uses > 0) return;
    for (const [object, name] of replaced) Reflect.deleteProperty(object, name);
    Object.assign(globalThis, { CompressionStream });
  };
}

const digest = (_algorithm: 'SHA-256', data: Uint8Array): Promise<ArrayBuffer> =>
  Promise.resolve(new Uint8Array(createHash('sha256').update(data).digest()).buffer);

/** Compresses when all bytes are there. */
class CompressionInOneTurn extends TransformStream<Uint8Array, Uint8Array> {
  constructor(format: 'gzip' | 'deflate') {
    const pieces: Uint8Array[] = [];
    super({
      transform: (piece) => void pieces.push(piece),
      flush: (controller) => controller.enqueue((format === 'gzip' ? gzipSync : deflateSync)(Buffer.concat(pieces))),
    });
  }
}

const collected = new WeakMap<Inflate, Buffer[]>();

function collect(this: Inflate, piece: Buffer, _encoding: string, done: () => void): void {
  collected.set(this, [...(collected.get(this) ?? []), piece]);
  done();
}

function inflateCollected(this: Inflate, done: (error?: unknown) => void): void {
  try {
    this.push(inflateSync(Buffer.concat(collected.get(this) ?? [])));
    done();
  } catch (error) {
    done(error);
  }
}
