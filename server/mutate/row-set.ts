/** Rows as they were loaded, and over them those that changed since. */
export class RowSet<Key, Row> {
  readonly #keyOf: (row: Row) => Key;
  readonly #loaded: Map<Key, Row>;
  readonly #changed = new Map<Key, Row>();

  constructor(rows: Row[], keyOf: (row: Row) => Key) {
    this.#keyOf = keyOf;
    this.#loaded = new Map(rows.map((row) => [keyOf(row), row]));
  }

  get(key: Key): Row | undefined {
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
