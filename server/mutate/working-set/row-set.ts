/** The rows of one table in a transaction. A changed row takes the place of its loaded row. */
import { assert } from '../../../shared/domain/assert.ts';

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

  /** Returns undefined if the store has no such row. Throws if the key is not in the read set. */
  get(key: Key): Row | undefined {
    const row = this.getIfLoaded(key);
    assert(row !== undefined || this.#read.has(key), `${String(key)} is in the read set`);
    return row;
  }

  /** Like `get`, but also returns undefined if the key is not in the read set. */
  getIfLoaded(key: Key): Row | undefined {
    return this.#changed.get(key) ?? this.#loaded.get(key);
  }

  put(row: Row): void {
    this.#changed.set(this.#keyOf(row), row);
  }

  /** Returns the row without the changes of the transaction. */
  loadedRow(key: Key): Row | undefined {
    return this.#loaded.get(key);
  }

  changedRows(): Row[] {
    return [...this.#changed.values()];
  }
}
