/**
 * Makes a pull out of answers that are stored on the disk. The `Puller` works as it does over a network, but gets the
 * stored answers. If no answer is stored for a request of the `Puller`, the next hand-over makes this request. So a
 * pull of several pages takes several meetings. The device then applies the pull in one transaction, like any other
 * pull.
 *
 *   answer ─► stored ─► puller ─┬─ lacks an answer ─► path of the next pull
 *                               └─ done ─► applied: the outbox is settled, and the stored answers are removed
 */
import type { PullResponse } from '../../shared/protocol/pull.ts';
import type { PullableKind } from '../../shared/protocol/pullable-kinds.ts';
import type { ClientProgress } from '../../shared/protocol/pull.ts';
import { nextCursorHeader } from '../../shared/protocol/version.ts';
import { isObject } from '../core/json-object.ts';
import type { Clock } from '../core/clock.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { HandOverBody, RecordBody, Row } from '../storage/rows.ts';
import type { Table } from '../storage/table.ts';
import { VerifiedEffects } from '../sync/cycle/effects/verified-effects.ts';
import { SyncError, type SyncFailure } from '../sync/cycle/failure/sync-failure.ts';
import { Puller } from '../sync/cycle/pull.ts';
import { SequenceCheck } from '../sync/cycle/sequence-check.ts';
import { RequestError } from '../sync/net/failure.ts';
import { httpTransport } from '../sync/net/transport.ts';
import type { PullScope } from '../sync/scope/hooks.ts';
import type { View } from '../view/view.ts';

interface StoredPullOptions {
  table: Table<HandOverBody>;
  records: Table<RecordBody>;
  outbox: Outbox;
  view: View;
  kinds: readonly PullableKind[];
  scope: PullScope | undefined;
  url: string;
  clock: Pick<Clock, 'schedule'>;
  now: () => string;
  signal: AbortSignal;
}

type Page = Extract<HandOverBody, { kind: 'page' }>;

/** The pull was applied, it lacks the answer to `path`, or it failed. */
type PullOutcome = { kind: 'applied' } | { kind: 'lacks'; path: string } | { kind: 'failed'; failure: SyncFailure };

/** Limits the pulls of one `advance`. After an applied pull, another pull asks for later changes. */
const pullsMax = 3;

export class StoredPull {
  readonly #options: StoredPullOptions;
  readonly #puller: Puller;
  readonly #check: SequenceCheck;
  #lackingPath: string | undefined;

  constructor(options: StoredPullOptions) {
    this.#options = options;
    const { url, outbox, view, clock, kinds } = options;
    const transport = httpTransport({
      url,
      fetch: async (input) => this.#answerFor(innerPathOf(String(input), url)),
      packedPages: false,
      // No token is needed, since the stored answers are already there.
      token: () => null,
      schedule: clock.schedule,
      // A stored answer may be days old, so it does not set the clock.
      onTime: () => {},
    });
    this.#check = new SequenceCheck({ outbox, view, transport });
    const verified = new VerifiedEffects({ base: view.base, outbox, kinds, asksEffects: false });
    this.#puller = new Puller({
      ...options,
      base: view.base,
      transport,
      check: this.#check,
      verified,
      onProgress: () => {},
    });
  }

  static rowOf(id: string, page: Omit<Page, 'kind'>): Row<HandOverBody> {
    return { id: pagePrefix + id, body: { kind: 'page', ...page } };
  }

  /** Must be called when the device may have missed changes with versions below its cursor. */
  requestFullPull(): void {
    this.#puller.requestFullPull();
  }

  /**
   * Applies the stored answers as far as possible. Resolves to the path of the next pull that a hand-over must ask for,
   * and to the failure if there was one.
   */
  async advance(): Promise<{ path: string | undefined; applied: boolean; failure: SyncFailure | undefined }> {
    let failure: SyncFailure | undefined;
    let applied = false;
    for (let pulls = 0; pulls < pullsMax; pulls++) {
      const outcome = await this.#pull();
      if (outcome.kind === 'lacks') return { path: outcome.path, applied, failure };
      if (outcome.kind === 'applied') applied = true;
      else failure = outcome.failure;
      await this.#forgetPages();
    }
    return { path: undefined, applied, failure };
  }

  async #pull(): Promise<PullOutcome> {
    const { outbox, view, signal } = this.#options;
    this.#lackingPath = undefined;
    try {
      const { mustLeaveClientId } = await this.#puller.pull(signal);
      signal.throwIfAborted();
      await outbox.writer.settle(
        () => view.pulledState && { ...view.pulledState, mustLeaveClientId, hasPullEnded: true },
      );
      this.#check.requireAgreementAfterPull();
      return { kind: 'applied' };
    } catch (error) {
      if (this.#lackingPath !== undefined) return { kind: 'lacks', path: this.#lackingPath };
      if (error instanceof SyncError) return { kind: 'failed', failure: error.failure };
      if (!(error instanceof RequestError)) throw error;
      return { kind: 'failed', failure: this.#check.failureOfOtherRequest(error.failure) };
    }
  }

  #answerFor(path: string): Response {
    const page = this.#pages.find((one) => one.path === path) ?? this.#laterPage(path);
    if (!page) {
      this.#lackingPath = path;
      throw new TypeError('This answer is not here yet.');
    }
    const { status, content_type, date, text, next } = page;
    const ofNext = next === undefined ? {} : { [nextCursorHeader]: next };
    return new Response(text, { status, headers: { 'Content-Type': content_type, Date: date, ...ofNext } });
  }

  /**
   * Finds a stored pull from an earlier cursor that knows a higher last sequence number of this device than the current
   * state. Such a pull has all changes after the current cursor, so it can replace the pull at `path`.
   */
  #laterPage(path: string): Page | undefined {
    const { view, outbox } = this.#options;
    const { cursor } = view.base;
    if (!cursor?.complete) return undefined;
    return this.#pages.find((page) => {
      if (page.status !== 200 || withoutCursor(page.path) !== withoutCursor(path)) return false;
      if (cursorOf(path) !== cursor.cursor || cursorOf(page.path) === '') return false;
      const { epoch, has_more, changes } = parsePull(page.text);
      const client = changes?.find(({ kind, id }) => kind === 'client' && id === outbox.device.client_id);
      const lastSeq = (client?.doc as ClientProgress | undefined)?.last_seq ?? 0;
      return epoch === cursor.epoch && has_more === false && lastSeq > (view.client?.last_seq ?? 0);
    });
  }

  /** Returns the ids of the rows whose answers the server gave before `date`. */
  rowIdsBefore(date: string): string[] {
    const isBefore = (body: HandOverBody) => body.kind === 'page' && Date.parse(body.date) < Date.parse(date);
    return [...this.#options.table.entries()].flatMap(([id, body]) => (isBefore(body) ? [id] : []));
  }

  get #pages(): Page[] {
    return [...this.#options.table.entries()].flatMap(([, body]) => (body.kind === 'page' ? [body] : []));
  }

  async #forgetPages(): Promise<void> {
    const { table } = this.#options;
    const ids = [...table.entries()].flatMap(([id, { kind }]) => (kind === 'page' ? [id] : []));
    await table.write([], ids);
    await table.purge({ rowsMax: 1_000 });
  }
}

const pagePrefix = 'page|';

/** Returns the path inside the API, without the path of the server on its host. */
export function innerPathOf(address: string, url: string): string {
  const { pathname, search } = new URL(address);
  const base = new URL(url.endsWith('/') ? url : `${url}/`).pathname;
  return `/${pathname.slice(base.length)}${search}`;
}

const cursorOf = (path: string): string | null => new URL(path, 'http://inner').searchParams.get('cursor');

function withoutCursor(path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://inner');
  searchParams.delete('cursor');
  return `${pathname}?${searchParams}`;
}

function parsePull(text: string): Partial<PullResponse> {
  try {
    const body: unknown = JSON.parse(text);
    return isObject(body) ? (body as Partial<PullResponse>) : {};
  } catch {
    return {};
  }
}
