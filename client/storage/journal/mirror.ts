/**
 * The place of a journal, outside the database: a browser can lose an origin's IndexedDB as a whole
 * (docs/decisions/0018-a-second-copy-outside-indexeddb.md), and what a person recorded must not go with it.
 */

/** Bodies by table and row id, such as `outbox|device`. */
export type JournalRows = Map<string, unknown>;

/** Each row that was put, and null for each that was removed. */
export type JournalChange = readonly [key: string, body: unknown];

export interface JournalWrite {
  changes: JournalChange[];
  /** Leaves nothing in the files of what was written before. */
  anew?: boolean;
}

export interface Mirror {
  /** Whether it was ever written. If so, what cannot be read must not be taken for nothing. */
  exists(): Promise<boolean>;
  /** Durable when it resolves. Changes take effect in the order in which they were asked for. */
  write(changes: JournalChange[]): Promise<void>;
  /** Shows what is held and writes what `decide` answers; no other tab writes in between. */
  exchange(decide: (held: JournalRows) => Promise<JournalWrite>): Promise<void>;
  /** Gives up all writes under way: none of them lands later. The mirror can be used again. */
  giveUp(): void;
}
