/**
 * The interface to the storage of a journal: `Mirror`, as the public API calls it. This storage is outside IndexedDB,
 * because a browser can lose the whole IndexedDB of an origin
 * (docs/decisions/0018-a-second-copy-outside-indexeddb.md).
 */

/** The bodies of the journal's rows by key. A key is the table and the row id, such as `outbox|device`. */
export type JournalRows = Map<string, unknown>;

/** A row to write; a null body removes the row. */
export type JournalChange = readonly [key: string, body: unknown];

export interface JournalWrite {
  changes: JournalChange[];
  /** If true, the files are rewritten with all rows, so that no earlier content stays in them. */
  anew?: boolean;
}

/** Stores the journal of one device, for example in the browser's private file system or in a folder. */
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
   * Tests whether this many bytes more can be stored. A browser may report a larger quota than it grants. Without this
   * method, the reported quota alone decides.
   */
  hasRoom?(bytes: number): Promise<boolean>;
  /** Cancels all running writes. New writes may follow. */
  giveUp(): void;
}
