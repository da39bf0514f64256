/** Writes the outbox: each method makes one pure decision and writes it in one transaction. */
import type { Problem } from '../../shared/protocol/problem.ts';
import type { IdGenerator } from '../core/ids.ts';
import { transferMarkRowId, type OutboxBody, type Row } from '../storage/rows.ts';
import type { Table } from '../storage/table.ts';
import { appendMutations } from './model/appending.ts';
import type { OutboxContent } from './model/content.ts';
import { replaceRefused } from './model/dependents/replacement.ts';
import { deviceRow } from './model/device.ts';
import { discard, restoreDiscarded } from './model/discarding.ts';
import type { DiscardedEntry, OutboxEntry, PendingEntry, RefusedEntry, SendableEntry } from './model/entry.ts';
import { withForwardedAnswers, type ForwardedAnswer } from './model/settling/forwarded-answers.ts';
import type { NewMutation } from './model/mutation.ts';
import { rowIdOf, outboxRowOf } from './model/parse-entry.ts';
import { writesBetween } from './model/rewriting.ts';
import type { PulledState } from './model/settling/settlement.ts';
import { applyPull, hasRefusedRunChange, willAssignNumbers } from './model/settling/apply-pull.ts';
import type { DecideImport } from './model/sequence/importing.ts';
import { withUnsendableEntry } from './model/unsendable.ts';
import type { DeviceIdentity } from './identity.ts';
import type { OutboxReader } from './outbox-reader.ts';

export interface WriterOptions {
  table: Table<OutboxBody>;
  identity: DeviceIdentity;
  reader: OutboxReader;
  ids: IdGenerator;
  now: () => string;
  /** Returns the server's time in its latest response; undefined before the first response. */
  serverNow?: () => string | undefined;
}

interface RewriteDecision<Result> {
  content: OutboxContent;
  /** Rows outside the content that are written in the same transaction. */
  rows?: Row<OutboxBody>[];
  result: Result;
}

export class OutboxWriter {
  readonly #table: Table<OutboxBody>;
  readonly #identity: DeviceIdentity;
  readonly #reader: OutboxReader;
  readonly #ids: IdGenerator;
  readonly #now: () => string;
  readonly #serverNow: () => string | undefined;

  constructor({ table, identity, reader, ids, now, serverNow = () => undefined }: WriterOptions) {
    this.#table = table;
    this.#identity = identity;
    this.#reader = reader;
    this.#ids = ids;
    this.#now = now;
    this.#serverNow = serverNow;
  }

  /** Appends mutations, all or none; resolves once they are stored durably. */
  append(mutations: NewMutation[]): Promise<PendingEntry[]> {
    const identity = this.#identity;
    return identity.withOutboxLock(async () => {
      const { device, entries } = appendMutations(await identity.refreshDevice(), mutations, this.#now());
      await this.#table.write([deviceRow(device), ...entries.map(outboxRowOf)]);
      return entries;
    });
  }

  /**
   * Replaces a refused mutation by `mutations`, followed by copies of its dependents. Resolves to false if another tab
   * has replaced or discarded the refused mutation first.
   */
  replace(refused: RefusedEntry, mutations: NewMutation[]): Promise<boolean> {
    const recorded_at = this.#now();
    return this.#rewriteEntry(refused, {
      select: (content) => content.refused,
      read: () => this.#table.refreshAll(),
      decide: (content, entry) => replaceRefused(content, { refused: entry, mutations, recorded_at }).content,
    });
  }

  /**
   * Discards a refused mutation. The latest 20 discarded mutations can be restored. Resolves to false if another tab
   * has replaced or discarded the refused mutation first.
   */
  discard(refused: RefusedEntry): Promise<boolean> {
    const now = this.#now();
    return this.#rewriteEntry(refused, {
      select: (content) => content.refused,
      decide: (content, entry) => discard(content, entry, now),
    });
  }

  /** Resolves to false if another tab has restored the mutation first. */
  restoreChange(discarded: DiscardedEntry): Promise<boolean> {
    return this.#rewriteEntry(discarded, { select: (content) => content.discarded, decide: restoreDiscarded });
  }

  /**
   * Settles the outbox by the pulled state. Reads that state under the lock, since another tab may have changed the
   * client id.
   */
  async settle(readPulled: () => PulledState | undefined): Promise<void> {
    let pulled: PulledState | undefined;
    const times = { now: this.#now(), serverNow: this.#serverNow() };
    const options = { ...times, returnedRunsModule: await this.#loadRunsModule() };
    await this.rewrite({
      // Write events of other tabs may be late, so all rows are read before new sequence numbers are assigned.
      read: async () => {
        pulled = readPulled();
        if (pulled && willAssignNumbers(this.#reader.content, pulled, options)) await this.#table.refreshAll();
      },
      decide: (content) => ({
        content: pulled ? applyPull(content, pulled, { ...options, ids: this.#ids }) : content,
        result: undefined,
      }),
    });
  }

  /** Resolves to undefined if the module cannot be loaded. The next pull then tries again. */
  async #loadRunsModule() {
    if (!hasRefusedRunChange(this.#reader.content)) return undefined;
    return import('./model/dependents/returned-runs.ts').catch(() => undefined);
  }

  /** Deletes all receipts, to free space in a nearly full storage. */
  deleteReceipts(): Promise<void> {
    return this.rewrite({ decide: (content) => ({ content: { ...content, receipts: [] }, result: undefined }) });
  }

  /** Imports all mutations or none. Returns how many mutations were new to this device. */
  importWork(decide: DecideImport): Promise<number> {
    return this.rewrite({
      read: () => this.#table.refreshAll(),
      decide: (before) => {
        const hasMark = (mark: string) => this.#reader.hasTransferMark(mark);
        const { content, marks } = decide(before, { hasMark, client_id: this.#ids.uuid() });
        return { content, rows: this.#transferMarkRows(marks), result: marks.length };
      },
    });
  }

  /**
   * Makes pushes send a noop in place of this mutation. Once a pull has settled the noop, the entry is refused for
   * `reason`.
   */
  markUnsendable(entry: SendableEntry, reason: Problem): Promise<void> {
    return this.rewrite({
      decide: (content) => ({ content: withUnsendableEntry(content, entry, reason), result: undefined }),
    });
  }

  storeAnswers(answers: ForwardedAnswer[], cursor: string): Promise<void> {
    return this.rewrite({
      decide: (content) => ({ content: withForwardedAnswers(content, answers, cursor), result: undefined }),
    });
  }

  /** Stores the transfer marks of exported mutations, so that this device never imports these mutations. */
  storeTransferMarks(marks: string[]): Promise<void> {
    const identity = this.#identity;
    return identity.withOutboxLock(async () => {
      await identity.refreshDevice();
      await this.#table.write(this.#transferMarkRows(marks));
    });
  }

  #transferMarkRows(marks: string[]): Row<OutboxBody>[] {
    const newMarks = marks.filter((mark) => !this.#reader.hasTransferMark(mark));
    return newMarks.map((mark) => ({ id: transferMarkRowId(mark), body: { kind: 'moved', at: this.#now() } }));
  }

  /** Reads the device row again, calls `read` and then `decide`, and writes the decision in one transaction. */
  rewrite<Result>({ read, decide }: RewriteOptions<Result>): Promise<Result> {
    const identity = this.#identity;
    return identity.withOutboxLock(async () => {
      await identity.refreshDevice();
      await read?.();
      const before = this.#reader.content;
      const { content, rows: more = [], result } = decide(before);
      const { rows, removedIds } = writesBetween(before, content);
      await this.#table.write([...rows, ...more], removedIds);
      return result;
    });
  }

  /** Resolves to false if another tab changed the state of the entry first. */
  #rewriteEntry<Entry extends OutboxEntry>(
    entry: Entry,
    { select, read, decide }: RewriteEntryOptions<Entry>,
  ): Promise<boolean> {
    const id = rowIdOf(entry);
    return this.rewrite({
      read: async () => {
        await this.#table.refresh(id);
        await read?.();
      },
      decide: (content) => {
        const found = select(content).find((other) => rowIdOf(other) === id);
        return found ? { content: decide(content, found), result: true } : { content, result: false };
      },
    });
  }
}

interface RewriteOptions<Result> {
  read?: () => Promise<unknown>;
  decide: (content: OutboxContent) => RewriteDecision<Result>;
}

interface RewriteEntryOptions<Entry> {
  /** The entries in the expected state. If `entry` is no longer among them, nothing is written. */
  select: (content: OutboxContent) => Entry[];
  read?: () => Promise<unknown>;
  decide: (content: OutboxContent, entry: Entry) => OutboxContent;
}
