/**
 * A second copy of what is not yet on the server, outside of the database. A browser can lose an origin's IndexedDB as a
 * whole (docs/decisions/0018-a-second-copy-outside-indexeddb.md); what a person recorded must not go with it.
 */

/** Bodies by table and row id, such as `outbox|device`. */
export type MirrorRows = Map<string, unknown>;

/** Each row that was put, and null for each that was removed. */
export type MirrorChange = readonly [key: string, body: unknown];

export interface MirrorWrite {
  changes: MirrorChange[];
  /** Nothing of what stood there before is left in its files. */
  anew?: boolean;
}

export interface Mirror {
  /** Whether it was ever written. If so, what cannot be read must not be taken for nothing. */
  exists(): Promise<boolean>;
  /** Durable when it resolves. Changes take effect in the order in which they were asked for. */
  write(changes: MirrorChange[]): Promise<void>;
  /** Shows what is held and writes what `decide` answers; no other tab writes in between. */
  exchange(decide: (held: MirrorRows) => Promise<MirrorWrite>): Promise<void>;
  /** Gives up all that is under way: none of it is written later. It can be used again. */
  giveUp(): void;
}
