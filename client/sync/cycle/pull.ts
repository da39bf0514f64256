/**
 * Pulls all pages after the cursor and writes them in one transaction with the new cursor, so that a device never holds
 * half a pull. Only its first pull is written page by page, since it may be long and there is nothing yet to tear.
 */
import type { PullResponse, RecordChange, RecordKind } from '../../../shared/protocol/pull.ts';
import { pullLimitDefault } from '../../../shared/schema/limits.ts';
import type { Outbox } from '../../outbox/outbox.ts';
import { cursorRowId, recordRowId, type RecordBody, type Row } from '../../storage/rows.ts';
import { WriteConflict, type Table } from '../../storage/table.ts';
import type { Base } from '../../view/base.ts';
import { SyncFailure, tellsOfSomeoneElse, type Failure } from './failure.ts';
import type { Transport } from '../net/transport.ts';
import { accountOf } from './account.ts';

interface PullerOptions {
  records: Table<RecordBody>;
  base: Base;
  outbox: Outbox;
  transport: Transport;
  kinds: readonly RecordKind[];
  /** Throws when a page shows other work under this device's numbers. */
  vouch: (page: PullResponse) => Promise<void>;
  /** The failure to throw when this device's client id belongs to another account. */
  disowned: (clientId: string) => SyncFailure;
  now: () => string;
  /** Tells how many changes came so far in this pull. */
  onProgress: (changes: number) => void;
}

/** Raised when documents get a field that old ones need, too: each device then pulls all of them again, once. */
const docVersion = 2;

/** A pull that does not end is broken; at the default page this is 50 million changes. */
const pagesMax = 100_000;

export class Puller {
  readonly #options: PullerOptions;
  /** An earlier token owns this device's client id. */
  #ofEarlierToken = false;
  #mustResync = false;
  /** Until the first read: the leader before may have died between a write and the word of it. */
  #hasRead = false;

  constructor(options: PullerOptions) {
    this.#options = options;
  }

  /** Makes the next pull begin at the start, since records were missed before the cursor. */
  resync(): void {
    this.#mustResync = true;
  }

  /** Answers whether the device's client id belongs to an earlier token: pending work then leaves it. */
  async pull(signal: AbortSignal): Promise<{ ofEarlierToken: boolean }> {
    this.#ofEarlierToken = false;
    const { records, base } = this.#options;
    if (!this.#hasRead) await records.refreshAllIfStale();
    this.#hasRead = true;
    const known = base.cursor;
    const pull = { from: known?.cursor, signal };
    if (known && (known.doc_version ?? 1) < docVersion) this.resync();
    const first = this.#mustResync ? undefined : await this.#pageAt(known?.cursor ?? '', signal);
    if (!first || (known && first.epoch !== known.epoch)) await this.#replaceAll(pull);
    else if (known?.complete) await this.#continue(first, pull);
    else await this.#firstPull(first, pull);
    this.#mustResync = false;
    return { ofEarlierToken: this.#ofEarlierToken };
  }

  async #continue(first: PullResponse, pull: Pull): Promise<void> {
    const pages = await this.#allPages(first, pull.signal);
    const last = pages.at(-1) ?? first;
    if (last.cursor === pull.from) return;
    const changes = pages.flatMap((page) => page.changes);
    await this.#write({ ...pull, changes, page: last });
  }

  async #firstPull(first: PullResponse, { from, signal }: Pull): Promise<void> {
    let before = from;
    for await (const page of this.#pagesAfter(first, signal)) {
      await this.#write({ from: before, signal, changes: page.changes, page });
      before = page.cursor;
    }
  }

  /** Takes the server's records for all that there are, since its store is another one or refuses our cursor. */
  async #replaceAll(pull: Pull): Promise<void> {
    const { signal } = pull;
    const pages = await this.#allPages(await this.#page('', signal), signal);
    const changes = pages.flatMap((page) => page.changes);
    const held = new Set(changes.filter(({ deleted }) => !deleted).map(recordRowId));
    const stale = [...this.#options.records.entries()]
      .map(([id]) => id)
      .filter((id) => id !== cursorRowId && !held.has(id));
    await this.#write({ ...pull, changes, page: pages.at(-1)!, staleIds: stale });
  }

  async #allPages(first: PullResponse, signal: AbortSignal): Promise<PullResponse[]> {
    const pages: PullResponse[] = [];
    for await (const page of this.#pagesAfter(first, signal)) pages.push(page);
    return pages;
  }

  /** Fails when the server's store is restored meanwhile; the next pull begins at the same cursor. */
  async *#pagesAfter(first: PullResponse, signal: AbortSignal): AsyncGenerator<PullResponse> {
    let page = first;
    let changes = 0;
    for (let pages = 0; pages < pagesMax; pages++) {
      this.#options.onProgress((changes += page.changes.length));
      await this.#options.vouch(page);
      yield page;
      if (!page.has_more) return;
      page = await this.#page(page.cursor, signal);
      if (page.epoch !== first.epoch) {
        throw new SyncFailure({ kind: 'unreachable', detail: 'The server was restored from a backup meanwhile.' });
      }
    }
    throw new Error(`a pull of over ${pagesMax} pages`);
  }

  /** undefined when the server does not take our cursor. */
  async #pageAt(cursor: string, signal: AbortSignal): Promise<PullResponse | undefined> {
    try {
      return await this.#page(cursor, signal);
    } catch (error) {
      if (cursor !== '' && error instanceof SyncFailure && refusesCursor(error.failure)) return undefined;
      throw error;
    }
  }

  async #page(cursor: string, signal: AbortSignal): Promise<PullResponse> {
    const { transport, outbox, kinds, disowned } = this.#options;
    const accountId = await accountOf({ outbox, transport }, signal);
    const clientId = outbox.device.client_id;
    const query = { clientId, accountId, cursor, limit: pullLimitDefault, kinds };
    for (;;) {
      try {
        return await transport.pull({ ...query, isForwarded: this.#ofEarlierToken }, signal);
      } catch (error) {
        if (!tellsOfSomeoneElse(error)) throw error;
        if (this.#ofEarlierToken) throw disowned(clientId);
        this.#ofEarlierToken = true;
      }
    }
  }

  async #write({ from, signal, changes, page, staleIds = [] }: PullWrite): Promise<void> {
    const { records, base, now } = this.#options;
    const latest = new Map(changes.map((change) => [recordRowId(change), change]));
    const rows: Row<RecordBody>[] = [];
    const removed = [...staleIds];
    for (const [id, { kind, doc, deleted }] of latest) {
      if (deleted || !doc) removed.push(id);
      else rows.push({ id, body: { kind, doc } as RecordBody });
    }
    const { cursor, epoch, has_more } = page;
    const complete = !has_more || base.cursor?.complete === true;
    const read = { cursor, epoch, complete, synced_at: now(), doc_version: docVersion };
    await this.#expectToLead(from);
    // The storage may have hung until a newer pull began.
    signal.throwIfAborted();
    try {
      await records.write([...rows, { id: cursorRowId, body: { kind: 'cursor', ...read } }], removed);
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error;
      // A row differs although the cursor does not, so that rows were missed under it.
      this.resync();
      await records.refreshAll();
      throw overtaken();
    }
  }

  /**
   * Throws when another tab has led meanwhile and pulled on from this cursor. Writing this pull would bring back, for good,
   * rows that the other one found deleted: those do not conflict.
   */
  async #expectToLead(from: string | undefined): Promise<void> {
    const { records, base } = this.#options;
    await records.refresh(cursorRowId);
    if (base.cursor?.cursor === from) return;
    await records.refreshAll();
    throw overtaken();
  }
}

interface Pull {
  /** The cursor after which it pulls; undefined at the start. */
  from: string | undefined;
  signal: AbortSignal;
}

interface PullWrite extends Pull {
  changes: RecordChange[];
  page: PullResponse;
  /** Rows that the server no longer has. */
  staleIds?: string[];
}

const overtaken = () => new SyncFailure({ kind: 'unreachable', detail: 'Another tab has pulled meanwhile.' });

const refusesCursor = (failure: Failure): boolean =>
  failure.kind === 'blocked' && failure.problem.errors?.some(({ path }) => path === '/cursor') === true;
