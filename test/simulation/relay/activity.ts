/** Tells when nothing is under way: cryptography runs on threads, whose ends no turn of the event loop waits for. */
import { setTimeout as delay } from 'node:timers/promises';
import { fewTurns } from '../platform/turns.ts';

const counted = [
  'deriveBits',
  'encrypt',
  'decrypt',
  'importKey',
  'exportKey',
  'generateKey',
  'sign',
  'digest',
] as const;
const quietRoundsMin = 2;
const roundsMax = 20_000;

export class Activity {
  #pending = 0;
  #events = 0;

  readonly note = (): void => void this.#events++;

  async during<Value>(work: Promise<Value>): Promise<Value> {
    this.#pending++;
    this.#events++;
    try {
      return await work;
    } finally {
      this.#pending--;
    }
  }

  /** Resolves when nothing happened for some turns and nothing is under way. */
  readonly settle = async (): Promise<void> => {
    let quiet = 0;
    for (let round = 0; quiet < quietRoundsMin; round++) {
      if (round > roundsMax) throw new Error('the simulation does not come to rest');
      const before = this.#events;
      await fewTurns();
      const isQuiet = this.#pending === 0 && this.#events === before;
      quiet = isQuiet ? quiet + 1 : 0;
      if (this.#pending > 0) await delay(1);
    }
  };

  /** Counts cryptography until the returned function is called. Bodies stay plain, since zlib has threads, too. */
  countCryptography(): () => void {
    const { subtle } = globalThis.crypto;
    const streams = {
      CompressionStream: globalThis.CompressionStream,
      DecompressionStream: globalThis.DecompressionStream,
    };
    for (const name of counted) {
      const call = Reflect.get(SubtleCrypto.prototype, name).bind(subtle) as (...args: unknown[]) => Promise<unknown>;
      const value = (...args: unknown[]) => this.during(call(...args));
      Object.defineProperty(subtle, name, { value, configurable: true });
    }
    Object.assign(globalThis, { CompressionStream: undefined, DecompressionStream: undefined });
    return () => {
      for (const name of counted) Reflect.deleteProperty(subtle, name);
      Object.assign(globalThis, streams);
    };
  }
}
