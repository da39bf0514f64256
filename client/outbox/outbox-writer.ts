/** Writes the outbox: each method makes one pure decision and writes it in one transaction. */
import type { IdGenerator } from '../core/ids.ts';
import { movedRowId, type OutboxBody, type Row } from '../storage/rows.ts';
import type { Table } from '../storage/table.ts';
import { appendMutations } from './model/appending.ts';
import type { OutboxContent } from './model/content.ts';
import { replaceRefused } from './model/dependents/replacement.ts';
import { deviceRow } from './model/device.ts';
import { discard, restoreDiscarded } from './model/discarding.ts';
import type { DiscardedEntry, OutboxEntry, PendingEntry, RefusedEntry } from './model/entry.ts';
import type { NewMutation } from './model/mutation.ts';
import { rowIdOf, rowOf } from './model/parse-entry.ts';
import { writesBetween } from './model/rewriting.ts';
import type { PulledState } from './model/settlement.ts';
import { applyPull, willAssignNumbers } from './model/apply-pull.ts';
import type { OutboxReader } from './outbox-reader.ts';

export interface WriterOptions {
  table: Table<OutboxBody>;
  reader: OutboxReader;
  ids: IdGenerator;
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
  readonly #ids: IdGenerator;
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
      const { device, entries } = appendMutations(await identity.refreshDevice(), mutations, this.#now());
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
    return this.#rewriteEntry(refused, {
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
    return this.#rewriteEntry(refused, {
      among: (content) => content.refused,
      decide: (content, entry) => discard(content, entry, now),
    });
  }

  /** Makes a discarded mutation need attention again; resolves to false if another tab restored it first. */
  restoreChange(discarded: DiscardedEntry): Promise<boolean> {
    return this.#rewriteEntry(discarded, { among: (content) => content.discarded, decide: restoreDiscarded });
  }

  /** Settles the mutations that a pull shows to be done or refused. */
  async settle(pulled: PulledState): Promise<void> {
    const times = { now: this.#now(), serverNow: this.#serverNow() };
    await this.rewrite({
      // New numbers must follow those of other tabs, whose write events may come late: so all rows are read first.
      read: async () => {
        if (willAssignNumbers(this.#reader.content, pulled, times)) await this.#table.refreshAll();
      },
      decide: (content) => ({ content: applyPull(content, pulled, { ...times, ids: this.#ids }), result: undefined }),
    });
  }

  /** Deletes all receipts, to free space in a nearly full storage. */
  deleteReceipts(): Promise<void> {
    return this.rewrite({ decide: (content) => ({ content: { ...content, receipts: [] }, result: undefined }) });
  }

  /** Remembers the marks of exported work, so that this device does not import that work again. */
  rememberTransferred(marks: string[]): Promise<void> {
    const { identity } = this.#reader;
    return identity.exclusive(async () => {
      await identity.refreshDevice();
      await this.#table.write(this.transferRows(marks));
    });
  }

  transferRows(marks: string[]): Row<OutboxBody>[] {
    const fresh = marks.filter((mark) => !this.#reader.wasTransferred(mark));
    return fresh.map((mark) => ({ id: movedRowId(mark), body: { kind: 'moved', at: this.#now() } }));
  }

  /** Refreshes the device's row, calls `read`, then `decide` once, and writes the decision in one transaction. */
  rewrite<Result>({ read, decide }: RewriteOptions<Result>): Promise<Result> {
    const { identity } = this.#reader;
    return identity.exclusive(async () => {
      await identity.refreshDevice();
      await read?.();
      const before = this.#reader.content;
      const { content, rows: more = [], result } = decide(before);
      const { rows, removedIds } = writesBetween(before, content);
      await this.#table.write([...rows, ...more], removedIds);
      return result;
    });
  }

  /** Rewrites one entry, unless another tab changed its state meanwhile. */
  #rewriteEntry<Entry extends OutboxEntry>(
    entry: Entry,
    { among, read, decide }: RewriteEntryOptions<Entry>,
  ): Promise<boolean> {
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

interface RewriteOptions<Result> {
  read?: () => Promise<unknown>;
  decide: (content: OutboxContent) => Decision<Result>;
}

interface RewriteEntryOptions<Entry> {
  /** The entries in the state that the entry must still have. */
  among: (content: OutboxContent) => Entry[];
  read?: () => Promise<unknown>;
  decide: (content: OutboxContent, entry: Entry) => OutboxContent;
}
