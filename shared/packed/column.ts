/**
 * The packed form of a list of records: a tree of columns. docs/sync-protocol.md describes each kind of column. A
 * column does not contain the number of its values, since its parent knows it.
 */

export type Primitive = string | number | boolean | null;

export type Column =
  /** All values equal this one. */
  | { same: Primitive }
  /** The values themselves, where no other column fits. */
  | { values: unknown[] }
  | DigitsColumn
  /** The first number, and the difference of each later number to the one before it. */
  | { first: number; steps: Column }
  /** Numbers that are `integers` divided by each of the divisors in turn. */
  | { divisors: number[]; integers: Column }
  /** RFC 3339 times in UTC, stored as milliseconds since 1970. */
  | { times: Column }
  /** UUIDs, stored as their first 48 bits, the next 40 and the last 40. */
  | { uuids: [Column, Column, Column] }
  /** `count` different values, and for each value of the list its index among them. */
  | { dictionary: Column; count: number; at: Column }
  /** Lists, stored as their lengths and the items of all of them together. */
  | { lengths: Column; items: Column }
  /** Objects with the same keys, stored as a column of values for each key. */
  | { keys: string[]; fields: FieldColumn[] }
  /**
   * Values of several kinds, stored as a column and a count for each kind, and for each value the index of its kind.
   */
  | { kinds: Column[]; counts: number[]; which: Column };

/**
 * Integers as one text: each is `min` plus a number of `width` digits in the base `radix`, the most significant digit
 * first.
 */
export interface DigitsColumn {
  min: number;
  radix: number;
  width: number;
  digits: string;
}

/** The column of a field. A derived field follows from the other fields of its object, and has no values. */
export type FieldColumn = Column | { derived: true };

/** A packed list, in the place of the list in the unpacked body. `packed` is its number of items. */
export interface PackedList {
  packed: number;
  column: Column;
}

/** The media type of a body whose lists may be packed. */
export const packedMediaType = 'application/vnd.gemba.packed+json;v=2';

/** How deep columns may be nested. Deeper values are not packed. */
export const columnDepthMax = 32;

/** How many kinds one column may have. */
export const kindsMax = 64;

/** How many values all columns of a body may have together. A page of 4 MiB has about 300,000. */
export const packedValuesMax = 4_000_000;

/** How many characters a body may unpack to. Without a limit, a small body could repeat one long text very often. */
export const unpackedCharsMax = 256 * 1024 * 1024;
