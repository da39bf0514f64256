/**
 * Limits the size to which a body unpacks. Packer and unpacker have the same limits, so that every packed body can be
 * unpacked.
 */
import { columnDepthMax, packedValuesMax, unpackedCharsMax } from './column.ts';
import { MalformedColumn } from './malformed.ts';

export class UnpackBudget {
  #values = 0;
  #chars = 0;

  takeValues(count: number): void {
    this.#values += count;
    if (!(this.#values <= packedValuesMax)) throw new MalformedColumn('too many values');
  }

  takeChars(count: number): void {
    this.#chars += count;
    if (!(this.#chars <= unpackedCharsMax)) throw new MalformedColumn('too much text');
  }
}

/** Throws if columns are nested too deeply. */
export function checkDepth(depth: number): void {
  if (depth > columnDepthMax) throw new MalformedColumn('too deep');
}
