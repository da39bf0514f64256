/**
 * The packed form of a list: a tree of columns instead of a list of records. docs/sync-protocol.md describes each column.
 * A column does not say how many values it has: its parent knows.
 */

export type Primitive = string | number | boolean | null;

export type Column =
  /** All values are this one. */
  | { same: Primitive }
  /** The values as they are, for whatever no other column can say. */
  | { values: unknown[] }
  | DigitsColumn
  /** The first number, and by how much each number is above the one before. */
  | { first: number; steps: Column }
  /** Integers that are divided by one divisor after the other. */
  | { divisors: number[]; integers: Column }
  /** Milliseconds since 1970, of which RFC 3339 times in UTC are made. */
  | { times: Column }
  /** The first 48 bits of UUIDs, the next 40 and the last 40. */
  | { uuids: [Column, Column, Column] }
  /** `count` different values, and which of them each value is. */
  | { dictionary: Column; count: number; at: Column }
  /** The lengths of lists, and the items of all lists together. */
  | { lengths: Column; items: Column }
  /** Objects with the same keys: for each key the column of its values. */
  | { keys: string[]; fields: FieldColumn[] }
  /** Values of several kinds: a column and a count for each kind, and which kind each value is of. */
  | { kinds: Column[]; counts: number[]; which: Column };

/** Integers in a text of digits: `width` digits a number, most significant first, in the base `radix`, above `min`. */
export interface DigitsColumn {
  min: number;
  radix: number;
  width: number;
  digits: string;
}

/** A field that follows from the other fields of its object says so instead of having values. */
export type FieldColumn = Column | { derived: true };

/** A list that is packed, where the unpacked body has the list itself. */
export interface PackedList {
  packed: number;
  column: Column;
}

/** The media type of a body whose lists may be packed. */
export const packedMediaType = 'application/vnd.gemba.packed+json;v=2';

/** Bounds how deep columns stand in columns. What lies deeper is packed as it is. */
export const columnDepthMax = 32;

/** Bounds how many kinds one column tells apart. */
export const kindsMax = 64;

/** Bounds the values of all columns of a body together. A page of 4 MiB has about 300,000. */
export const packedValuesMax = 4_000_000;

/** Bounds the characters of an unpacked body, since a column may repeat one long text. */
export const unpackedCharsMax = 256 * 1024 * 1024;
