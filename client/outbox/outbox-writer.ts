/** Writes the outbox: each method makes one pure decision and writes it in one transaction. */
import type { Ids } from '../core/ids.ts';
import { movedRowId, type OutboxBody, type Row } from '../storage/rows.ts';
import type { Table } from '../storage/table.ts';
import { appended } from './model/appending.ts';
import type { OutboxContent } from './model/content.ts';
import { replaceRefused } from './model/dependents/replacement.ts';
import { deviceRow } from './model/device.ts';
import { discard, restoreDiscarded } from './model/discarding.ts';
import type { DiscardedEntry, OutboxEntry, PendingEntry, RefusedEntry } from './model/entry.ts';
import type { NewMutation } from './model/mutation.ts';
import { rowIdOf, rowOf } from './model/parse-entry.ts';
import { writesBetween } from './model/rewriting.ts';
import type { Pulled } from './model/settlement.ts';
import { takePull, willNumber } from './model/take-pull.ts';
import type { OutboxReader } from './outbox-reader.ts';

export interface WriterOptions {
  table: Table<OutboxBody>;
  reader: OutboxReader;
  ids: Ids;
  now: () => string;
  /** The server's time in its latest response; undefined before the first response. */
  serverNow?: () => string | undefined;
}

/** The content to write, and the result for the caller. */
export interface Decision<Result> {
  content: OutboxContent;
  /** Rows to write in the same transaction, which are not part of the content. */
  rows?: Row<OutboxBody>[];
  result: Result;
}

export class OutboxWriter {
  readonly #table: Table<OutboxBody>;
  readonly #reader: OutboxReader;
  readonly #ids: Ids;
  readonly #now: () => string;
  readonly #serverNow: () => string | undefined;

  constructor({ table, reader, ids, now, serverNow = () => undefined }: WriterOptions) {
    this.#table = table;
    this.#reader = reader;
    this.#ids = ids;
    this.#now = now;
    this.#serverNow = serverNow;
  }

  /** Appends mutations, all or none; resolves once they are stored durably. */
  append(mutations: NewMutation[]): Promise<PendingEntry[]> {
    const { identity } = this.#reader;
    return identity.exclusive(async () => {
      const { device, entries } = appended(await identity.fresh(), mutations, this.#now());
      await this.#table.write([deviceRow(device), ...entries.map(rowOf)]);
      return entries;
    });
  }

  /**
   * Replaces a refused mutation by `mutations`, and makes the mutations that depend on it again. Resolves to false if
   * another tab resolved the refused mutation first.
   */
  replace(refused: RefusedEntry, mutations: NewMutation[]): Promise<boolean> {
    const recorded_at = this.#now();
    return this.#rewriteOne(refused, {
      among: (content) => content.refused,
      read: () => this.#table.refreshAll(),
      decide: (content, entry) => replaceRefused(content, { refused: entry, mutations, recorded_at }).content,
    });
  }

  /**
   * Discards a refused mutation; the 20 latest discarded ones can be restored. Resolves to false if another tab resolved
   * the refused mutation first.
   */
  discard(refused: RefusedEntry): Promise<boolean> {
    const now = this.#now();
    return this.#rewriteOne(refused, {
      among: (content) => content.refused,
      decide: (content, entry) => discard(content, entry, now),
    });
  }

  /** Makes a discarded mutation need attention again; resolves to false if another tab restored it first. */
  restoreChange(discarded: DiscardedEntry): Promise<boolean> {
    return this.#rewriteOne(discarded, { among: (content) => content.discarded, decide: restoreDiscarded });
  }

  /** Settles the mutations that a pull shows to be done or refused. */
  async settle(pulled: Pulled): Promise<void> {
    const times = { now: this.#now(), serverNow: this.#serverNow() };
    await this.rewrite({
      // New numbers must follow those of other tabs, whose write events may come late: so all rows are read first.
      read: async () => {
        if (willNumber(this.#reader.content, pulled, times)) await this.#table.refreshAll();
      },
      decide: (content) => ({ content: takePull(content, pulled, { ...times, ids: this.#ids }), result: undefined }),
    });
  }

  /** Deletes all receipts, to free space in a nearly full storage. */
  forgetReceipts(): Promise<void> {
    return this.rewrite({ decide: (content) => ({ content: { ...content, receipts: [] }, result: undefined }) });
  }

  /** Remembers the marks of exported work, so that this device does not import that work again. */
  rememberMoved(marks: string[]): Promise<void> {
    const { identity } = this.#reader;
    return identity.exclusive(async () => {
      await identity.fresh();
      await this.#table.write(this.movedRows(marks));
    });
  }

  movedRows(marks: string[]): Row<OutboxBody>[] {
    const fresh = marks.filter((mark) => !this.#reader.wasMoved(mark));
    return fresh.map((mark) => ({ id: movedRowId(mark), body: { kind: 'moved', at: this.#now() } }));
  }

  /** Refreshes the device's row, calls `read`, then `decide` once, and writes the decision in one transaction. */
  rewrite<Result>({ read, decide }: Rewriting<Result>): Promise<Result> {
    const { identity } = this.#reader;
    return identity.exclusive(async () => {
      await identity.fresh();
      await read?.();
      const before = this.#reader.content;
      const { content, rows: more = [], result } = decide(before);
      const { rows, removedIds } = writesBetween(before, content);
      await this.#table.write([...rows, ...more], removedIds);
      return result;
    });
  }

  /** Rewrites one entry, unless another tab changed its state meanwhile. */
  #rewriteOne<Entry extends OutboxEntry>(entry: Entry, { among, read, decide }: RewritingOne<Entry>): Promise<boolean> {
    const id = rowIdOf(entry);
    return this.rewrite({
      read: async () => {
        await this.#table.refresh(id);
        await read?.();
      },
      decide: (content) => {
        const found = among(content).find((other) => rowIdOf(other) === id);
        return found ? { content: decide(content, found), result: true } : { content, result: false };
      },
    });
  }
}

interface Rewriting<Result> {
  read?: () => Promise<unknown>;
  decide: (content: OutboxContent) => Decision<Result>;
}

interface RewritingOne<Entry> {
  /** The entries in the state that the entry must still have. */
  among: (content: OutboxContent) => Entry[];
  read?: () => Promise<unknown>;
  decide: (content: OutboxContent, entry: Entry) => OutboxContent;
}
