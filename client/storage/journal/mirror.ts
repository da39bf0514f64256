/**
 * The place of a journal, outside the database: a browser can lose an origin's IndexedDB as a whole
 * (docs/decisions/0018-a-second-copy-outside-indexeddb.md), and recordings must survive that.
 */

/** Row bodies by key; the key is the table and the row id, such as `outbox|device`. */
export type JournalRows = Map<string, unknown>;

/** A row to put, or null for a row to remove. */
export type JournalChange = readonly [key: string, body: unknown];

export interface JournalWrite {
  changes: JournalChange[];
  /** Rewrites the files so that no earlier content stays in them. */
  anew?: boolean;
}

export interface Mirror {
  /** Tells whether the journal was ever written. If so, unreadable files must not be taken for an empty journal. */
  exists(): Promise<boolean>;
  /** Writes changes in the order of the calls; durable when it resolves. */
  write(changes: JournalChange[]): Promise<void>;
  /** Passes the journal's rows to `decide` and writes what that returns; no other tab writes in between. */
  exchange(decide: (journalRows: JournalRows) => Promise<JournalWrite>): Promise<void>;
  /** Gives up all writes under way, so that none happens later. The mirror can be used again. */
  giveUp(): void;
}
