/**
 * Two functions of the platform that would give one seed several histories: a digest is computed on a thread, whose end
 * has an order of its own, and work that takes long by `performance.now` goes on in a later turn of the event loop.
 */
import { createHash } from 'node:crypto';

let uses = 0;

/** Digests in the same turn and finds no work long, in this process, until the returned function is called. */
export function useOneTurn(): () => void {
  uses += 1;
  const { subtle } = globalThis.crypto;
  Object.defineProperty(subtle, 'digest', { value: digest, configurable: true });
  Object.defineProperty(performance, 'now', { value: () => 0, configurable: true });
  return () => {
    uses -= 1;
    if (uses > 0) return;
    Reflect.deleteProperty(subtle, 'digest');
    Reflect.deleteProperty(performance, 'now');
  };
}

const digest = (_algorithm: 'SHA-256', data: Uint8Array): Promise<ArrayBuffer> =>
  Promise.resolve(new Uint8Array(createHash('sha256').update(data).digest()).buffer);
