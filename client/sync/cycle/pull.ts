/**
 * Pulls all pages after the cursor, and writes them with the new cursor in one transaction. So the database never holds
 * half a pull. Only the device's first pull is written page by page, since it may be long and replaces no older
 * records.
 */
import type { PullResponse, RecordChange } from '../../../shared/protocol/pull.ts';
import type { PullableKind } from '../../../shared/protocol/pullable-kinds.ts';
import type { Outbox } from '../../outbox/outbox.ts';
import { cursorRowId, recordRowId, type CursorBody, type RecordBody, type Row } from '../../storage/rows.ts';
import { WriteConflict, type Table } from '../../storage/table.ts';
import type { Base } from '../../view/base.ts';
import type { Transport } from '../net/transport.ts';
import type { PullScope } from '../scope/hooks.ts';
import { PageFetcher } from './page-request.ts';
import type { VerifiedEffects } from './effects/verified-effects.ts';
import type { VerifiedChanges } from './effects/verify-push.ts';
import { SyncError } from './failure/sync-failure.ts';
import type { SequenceCheck } from './sequence-check.ts';

interface PullerOptions {
  records: Table<RecordBody>;
  base: Base;
  outbox: Outbox;
  transport: Transport;
  kinds: readonly PullableKind[];
  check: SequenceCheck;
  verified: VerifiedEffects;
  /** The part of the runs that the device pulls; absent if it pulls all runs. */
  scope: PullScope | undefined;
  now: () => string;
  /** Called after each page with the number of changes that this pull has brought so far. */
  onProgress: (changes: number) => void;
}

/** Must be raised when records get a new field. Each device then pulls all records once more. */
const docVersion = 2;

/** Limits the retries of one write, which conflicts if runs were loaded or dropped after the read of the cursor. */
const writeRetriesMax = 5;

/** Ends a pull that a defect would make endless. With the default page size, this limit is 50 million changes. */
const pagesMax = 100_000;

export class Puller {
  readonly #options: PullerOptions;
  readonly #page: PageFetcher;
  /** Whether the next pull ignores the cursor and replaces all records. */
  #mustPullAll = false;
  /**
   * Whether a pull of this tab has read the stored records again. This tab may have missed the last write of the
   * previous leader.
   */
  #hasReadRecords = false;

  constructor(options: PullerOptions) {
    this.#options = options;
    this.#page = new PageFetcher(options);
  }

  /** Must be called if this device may have missed changes that its cursor has passed. */
  requestFullPull(): void {
    this.#mustPullAll = true;
  }

  async pull(signal: AbortSignal): Promise<PullOutcome> {
    this.#page.mustLeaveClientId = false;
    const { records, base, scope } = this.#options;
    if (!this.#hasReadRecords) await records.refreshAllIfStale();
    this.#hasReadRecords = true;
    const stored = base.cursor;
    const pull = { from: stored?.cursor, signal };
    // A device without a scope must hold all runs. If its cursor has a scope, the device held only some runs before.
    const isOutdated =
      stored && ((stored.doc_version ?? 1) < docVersion || (scope?.isOutdated(stored) ?? stored.scope));
    if (isOutdated) this.requestFullPull();
    const verified = this.#options.verified.take();
    if (stored && verified && !this.#mustPullAll) {
      await this.#writeVerified(verified, stored, pull);
      return { mustLeaveClientId: false, wroteEffects: true };
    }
    const first = this.#mustPullAll ? undefined : await this.#page.fetchUnlessRefused(stored?.cursor ?? '', signal);
    if (!first || (stored && first.epoch !== stored.epoch)) await this.#pullAll(pull, first);
    else if (stored?.complete) await this.#pullChanges(first, pull);
    else await this.#writePageByPage(first, pull);
    this.#mustPullAll = false;
    this.#options.verified.onPulled();
    return { mustLeaveClientId: this.#page.mustLeaveClientId, wroteEffects: false };
  }

  /** Writes the verified effects of this round's pushes. A pull would bring the same changes. */
  async #writeVerified({ cursor, changes }: VerifiedChanges, { epoch }: CursorBody, pull: PullContext): Promise<void> {
    await this.#options.check.verifyChanges(changes);
    const page = { cursor, epoch, has_more: false, push_effects: true };
    await this.#write({ ...pull, changes, page });
  }

  async #pullChanges(first: PullResponse, pull: PullContext): Promise<void> {
    const pages = await this.#fetchAllPages(first, pull.signal);
    const last = pages.at(-1) ?? first;
    if (last.cursor === pull.from) return;
    const changes = pages.flatMap((page) => page.changes);
    await this.#write({ ...pull, changes, page: last });
  }

  async #writePageByPage(first: PullResponse, { from, signal }: PullContext): Promise<void> {
    let before = from;
    for await (const page of this.#fetchPagesFrom(first, signal)) {
      await this.#write({ from: before, signal, changes: page.changes, page });
      before = page.cursor;
    }
  }

  /**
   * Replaces all records on the device. `newEpochPage` is the page that showed a restore of the server, if one did. All
   * later pages must have the epoch of this page, since a cache may answer with older pages.
   */
  async #pullAll(pull: PullContext, newEpochPage: PullResponse | undefined): Promise<void> {
    const { signal } = pull;
    const first = await this.#page.fetch('', signal);
    if (newEpochPage && newEpochPage.epoch !== first.epoch) throw restoredMeanwhileError();
    const pages = await this.#fetchAllPages(first, signal);
    const { fullPullWrite } = await import('./lost-run-changes.ts');
    const records = await fullPullWrite(this.#options, {
      pages,
      signal,
      fence: () => this.#requireSameCursor(pull.from),
    });
    await this.#write({ ...pull, ...records, replacesAll: true });
  }

  async #fetchAllPages(first: PullResponse, signal: AbortSignal): Promise<PullResponse[]> {
    const pages: PullResponse[] = [];
    for await (const page of this.#fetchPagesFrom(first, signal)) pages.push(page);
    return pages;
  }

  /**
   * Yields the pages one by one, and requests the next page while the caller writes the current one. Throws if the
   * server is restored from a backup between two pages.
   */
  async *#fetchPagesFrom(first: PullResponse, signal: AbortSignal): AsyncGenerator<PullResponse> {
    let page = first;
    let changes = 0;
    for (let pages = 0; pages < pagesMax; pages++) {
      this.#options.onProgress((changes += page.changes.length));
      await this.#options.check.verifyChanges(page.changes);
      const next = page.has_more ? this.#page.fetch(page.cursor, signal) : undefined;
      // Marks a rejection of `next` as handled. Nobody awaits `next` if the caller fails to write the current page.
      next?.catch(() => {});
      yield page;
      if (!next) return;
      page = await next;
      if (page.epoch !== first.epoch) throw restoredMeanwhileError();
    }
    throw new Error(`a pull of over ${pagesMax} pages`);
  }

  async #write(write: PullWrite, retries = 0): Promise<void> {
    const { from, signal, changes, page, staleIds = [], replacesAll } = write;
    const { records, base, now, scope } = this.#options;
    const latest = new Map(changes.map((change) => [recordRowId(change), change]));
    const rows: Row<RecordBody>[] = [];
    const removed = [...staleIds];
    for (const [id, { kind, doc, deleted }] of latest) {
      if (deleted || !doc) removed.push(id);
      else rows.push({ id, body: { kind, doc } as RecordBody });
    }
    const { cursor, epoch, has_more, push_effects } = page;
    const complete = !has_more || base.cursor?.complete === true;
    const newCursor = {
      cursor,
      epoch,
      complete,
      synced_at: now(),
      doc_version: docVersion,
      ...(push_effects ? { push_effects } : {}),
      ...scope?.cursorFields(page, replacesAll ? undefined : base.cursor),
    };
    await this.#requireSameCursor(from);
    // The storage may have hung so long that the watchdog aborted this pull and began another one.
    signal.throwIfAborted();
    try {
      await records.write([...rows, { id: cursorRowId, body: { kind: 'cursor', ...newCursor } }], removed);
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error;
      await records.refreshAll();
      // If the cursor is unchanged, another write only loaded or dropped runs. The changes of this pull then still fit.
      const isOnSameRecords = from !== undefined && base.cursor?.cursor === from;
      if (isOnSameRecords && !replacesAll && retries < writeRetriesMax) return this.#write(write, retries + 1);
      // Another tab wrote a row that this tab did not know. It may have written others, so the next pull brings all
      // records.
      this.requestFullPull();
      throw overtakenError('Another tab has pulled meanwhile.');
    }
  }

  /**
   * Throws if another tab has pulled since this pull began. A write of this pull could bring back rows that the other
   * tab's pull deleted, and no later pull would delete them again.
   */
  async #requireSameCursor(from: string | undefined): Promise<void> {
    const { records, base } = this.#options;
    await records.refresh(cursorRowId);
    if (base.cursor?.cursor === from) return;
    await records.refreshAll();
    throw overtakenError('Another tab has pulled meanwhile.');
  }
}

export interface PullOutcome {
  /** True if an earlier token of this device owns the client id. The caller must then start a new client id. */
  mustLeaveClientId: boolean;
  /** True if the pull wrote the round's verified effects instead of asking the server. */
  wroteEffects: boolean;
}

interface PullContext {
  /** The device's cursor when this pull began; undefined if the device had none. */
  from: string | undefined;
  signal: AbortSignal;
}

interface PullWrite extends PullContext {
  changes: RecordChange[];
  page: Pick<PullResponse, 'cursor' | 'epoch' | 'has_more' | 'push_effects' | 'partial'>;
  /** The row ids of records that the server no longer has. */
  staleIds?: string[];
  /** True if the written records replace all records of the device. */
  replacesAll?: boolean;
}

const overtakenError = (detail: string) => new SyncError({ kind: 'overtaken', detail });

const restoredMeanwhileError = () => overtakenError('The server was restored from a backup meanwhile.');
