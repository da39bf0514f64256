/** Numbers the 128-bit hashes that it is given, in flat arrays, since millions of strings would take gigabytes. */
import { hash } from 'node:crypto';

const wordsPerHash = 4;
const slotsAtFirst = 1 << 12;

export class HashTable {
  /** One more than the number of the hash in a slot; 0 in an empty one. */
  #slots = new Uint32Array(slotsAtFirst);
  #words = new Uint32Array((slotsAtFirst / 2) * wordsPerHash);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(words: Uint32Array): boolean {
    return this.#slots[this.#slotOf(words)] !== 0;
  }

  /** Returns the number of a hash that is new, and undefined for any other. */
  add(words: Uint32Array): number | undefined {
    const slot = this.#slotOf(words);
    if (this.#slots[slot] !== 0) return undefined;
    const number = this.#size++;
    this.#slots[slot] = number + 1;
    this.#words.set(words, number * wordsPerHash);
    if (this.#size * 2 === this.#slots.length) this.#grow();
    return number;
  }

  #slotOf(words: Uint32Array): number {
    const mask = this.#slots.length - 1;
    for (let slot = words[0]! & mask; ; slot = (slot + 1) & mask) {
      const number = this.#slots[slot]! - 1;
      if (number < 0 || this.#isAt(number, words)) return slot;
    }
  }

  #isAt(number: number, words: Uint32Array): boolean {
    const at = number * wordsPerHash;
    return words.every((word, index) => this.#words[at + index] === word);
  }

  #grow(): void {
    const words = new Uint32Array(this.#words.length * 2);
    words.set(this.#words);
    this.#words = words;
    this.#slots = new Uint32Array(this.#slots.length * 2);
    for (let number = 0; number < this.#size; number++) {
      const at = number * wordsPerHash;
      this.#slots[this.#slotOf(words.subarray(at, at + wordsPerHash))] = number + 1;
    }
  }
}

/** The chance that two of a hundred million texts share a hash is below 10^-22. */
export function wordsOf(text: string): Uint32Array {
  const bytes = hash('md5', text, 'buffer');
  return Uint32Array.from({ length: wordsPerHash }, (_, index) => bytes.readUInt32LE(index * 4));
}
