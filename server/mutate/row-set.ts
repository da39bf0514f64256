/** The rows of one table in a transaction: the loaded rows, overlaid with the rows that changed since. */
import { assert } from '../../shared/domain/assert.ts';

export class RowSet<Key, Row> {
  readonly #keyOf: (row: Row) => Key;
  readonly #read: ReadonlySet<Key>;
  readonly #loaded: Map<Key, Row>;
  readonly #changed = new Map<Key, Row>();

  constructor(rows: Row[], { keyOf, read }: { keyOf: (row: Row) => Key; read: Iterable<Key> }) {
    this.#keyOf = keyOf;
    this.#read = new Set(read);
    this.#loaded = new Map(rows.map((row) => [keyOf(row), row]));
  }

  /** Returns undefined when the store has no such row. */
  get(key: Key): Row | undefined {
    const row = this.peek(key);
    assert(row !== undefined || this.#read.has(key), `${String(key)} is in the read set`);
    return row;
  }

  /** Returns undefined also when the row was not read. */
  peek(key: Key): Row | undefined {
    return this.#changed.get(key) ?? this.#loaded.get(key);
  }

  put(row: Row): void {
    this.#changed.set(this.#keyOf(row), row);
  }

  loaded(key: Key): Row | undefined {
    return this.#loaded.get(key);
  }

  changed(): Row[] {
    return [...this.#changed.values()];
  }
}
