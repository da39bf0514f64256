/**
 * The storage interface of the journal. The journal is not in IndexedDB, because a browser can lose the whole IndexedDB
 * of an origin (docs/decisions/0018-a-second-copy-outside-indexeddb.md).
 */

/** The bodies of rows by key. A key is the table and the row id, such as `outbox|device`. */
export type JournalRows = Map<string, unknown>;

/** A row to write; a null body removes the row. */
export type JournalChange = readonly [key: string, body: unknown];

export interface JournalWrite {
  changes: JournalChange[];
  /** True to rewrite the files, so that no earlier content stays in them. */
  anew?: boolean;
}

export interface Mirror {
  /** Tells whether the journal was ever written. If it was, unreadable files are an error, not an empty journal. */
  exists(): Promise<boolean>;
  /** Writes changes, in the order of the calls. Resolves when the changes are durable. */
  write(changes: JournalChange[]): Promise<void>;
  /**
   * Passes the journal's rows to `decide`, and writes the changes that `decide` returns. No other tab writes in
   * between.
   */
  exchange(decide: (journalRows: JournalRows) => Promise<JournalWrite>): Promise<void>;
  /**
   * Tells whether this many bytes more can be stored, where a browser reports a quota that it does not grant. Without
   * this method, the reported quota alone decides.
   */
  hasRoom?(bytes: number): Promise<boolean>;
  /** Cancels all running writes. New writes may follow. */
  giveUp(): void;
}
