/**
 * Functions of the platform that would give one seed several histories: digests, slow hashes and compression end on a
 * thread, whose end has an order of its own, and work that takes long by `performance.now` goes on in a later turn of the
 * event loop.
 */
import crypto, { createHash } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { deflateSync, gzipSync, Inflate, inflateSync } from 'node:zlib';

let uses = 0;
let restore: () => void;

/** Digests and compresses in the same turn and finds no work long, in this process, until the returned function is called. */
export function useOneTurn(): () => void {
  uses += 1;
  if (uses === 1) restore = replaceFunctions();
  return () => {
    uses -= 1;
    if (uses === 0) restore();
  };
}

function replaceFunctions(): () => void {
  const replaced: [object: object, name: string, value: unknown][] = [
    [globalThis.crypto.subtle, 'digest', digest],
    [globalThis, 'CompressionStream', CompressionInOneTurn],
    [performance, 'now', () => 0],
    [crypto, 'scrypt', hashAtOnce],
    [Inflate.prototype, '_transform', collect],
    [Inflate.prototype, '_flush', inflateCollected],
  ];
  const originals = replaced.map(([object, name]) => Object.getOwnPropertyDescriptor(object, name));
  for (const [object, name, value] of replaced) Object.defineProperty(object, name, { value, configurable: true });
  syncBuiltinESMExports();
  return () => {
    for (const [index, [object, name]] of replaced.entries()) {
      const original = originals[index];
      if (original) Object.defineProperty(object, name, original);
      else Reflect.deleteProperty(object, name);
    }
    syncBuiltinESMExports();
  };
}

const digest = (_algorithm: 'SHA-256', data: Uint8Array): Promise<ArrayBuffer> =>
  Promise.resolve(new Uint8Array(createHash('sha256').update(data).digest()).buffer);

/** Hashes at once: nobody guesses codes of the simulation, and the slow hash takes most of the time of a pairing. */
function hashAtOnce(text: string, salt: string, length: number, _cost: object, done: ScryptEnd): void {
  done(null, createHash('sha256').update(`${salt} ${text}`).digest().subarray(0, length));
}

type ScryptEnd = (error: Error | null, hash: Buffer) => void;

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
