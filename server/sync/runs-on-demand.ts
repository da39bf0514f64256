/**
 * `GET /sync/runs` returns runs that a device lacks. If a run changed after the device's cursor, only the id of the run
 * is returned, since the next pull brings the run.
 */
import { validationRefusal } from '../../shared/domain/outcome.ts';
import type { RunsQuery, RunsResponse } from '../../shared/protocol/runs-on-demand.ts';
import { runsPerLoadMax } from '../../shared/schema/limits.ts';
import type { Caller } from '../core/caller.ts';
import type { RefusedRequest } from '../core/reply.ts';
import type { Page } from '../store/page.ts';
import type { Store } from '../store/store.ts';
import { accountRefusal } from './account-refusal.ts';
import { parseCursor } from './cursor.ts';

interface RunsOnDemandPage {
  ok: true;
  response: RunsResponse;
  /** The `page` of the next request; absent on the last page. */
  next?: string;
}

/** A page ends with the run that reaches this size, since a run may have megabytes. */
const pageBytesMax = 4 * 1024 * 1024;

export async function loadRunsOnDemand(
  { store }: { store: Store },
  caller: Pick<Caller, 'accountId'>,
  query: RunsQuery,
): Promise<RunsOnDemandPage | RefusedRequest> {
  const mismatch = accountRefusal(query.account_id, caller);
  if (mismatch) return mismatch;
  const cursor = parseCursor(query.cursor);
  if (!cursor) return validationRefusal([{ path: '/cursor', message: 'is not a cursor of this service' }]);
  if ((query.ids === undefined) === (query.map_id === undefined)) {
    return validationRefusal([{ path: '/ids', message: 'either ids or map_id must be given' }]);
  }
  const at = parsePagePosition(query.page);
  if (!at) return validationRefusal([{ path: '/page', message: 'is not a page of this list' }]);

  const list = await listRunIds(store, caller.accountId, { ...query, ...at });
  const { ids } = list;
  const read = await store.runsByIds(caller.accountId, { ids, after: at.afterId, bytesMax: pageBytesMax });
  const isAtCursor = ({ version }: { version: number }) => version <= cursor.version;
  const next = nextPage(at, list, read);
  return {
    ok: true,
    response: {
      runs: read.rows.filter(isAtCursor),
      newer: read.rows.filter((run) => !isAtCursor(run)).map(({ id }) => id),
      epoch: await store.epoch(),
    },
    ...(next === undefined ? {} : { next }),
  };
}

/**
 * A page has the runs of one list, after the id `afterId`. The list has the given ids, or the next runs of a map, whose
 * numbers are below `before`.
 */
interface PagePosition {
  before?: number;
  afterId: number;
}

interface RunIdList {
  ids: number[];
  /** The `before` of the map's next list; absent if there is none. */
  next?: number;
}

async function listRunIds(
  store: Store,
  accountId: string,
  { ids, map_id, before, limit = runsPerLoadMax }: RunsQuery & PagePosition,
): Promise<RunIdList> {
  if (map_id === undefined) return { ids: (ids ?? '').split(',').map(Number) };
  const page = await store.runs(accountId, {
    mapId: map_id.toLowerCase(),
    limit,
    ...(before === undefined ? {} : { before }),
  });
  return { ids: page.rows.map(({ id }) => id), ...(page.next === null ? {} : { next: page.next }) };
}

function nextPage({ before = 0, afterId }: PagePosition, list: RunIdList, read: Page<unknown>): string | undefined {
  if (read.next !== null) return formatPagePosition(before, Math.max(read.next, afterId));
  return list.next === undefined ? undefined : formatPagePosition(list.next, 0);
}

/** If `before` is 0, the list has the map's newest runs. If `afterId` is 0, the page has the list's first runs. */
const formatPagePosition = (before: number, afterId: number) =>
  Buffer.from(`${before}.${afterId}`).toString('base64url');

/** Returns undefined for an invalid page. */
function parsePagePosition(text: string | undefined): PagePosition | undefined {
  if (text === undefined) return { afterId: 0 };
  const match = /^(\d{1,15})\.(\d{1,16})$/.exec(Buffer.from(text, 'base64url').toString());
  const [before, afterId] = [Number(match?.[1]), Number(match?.[2])];
  if (!Number.isSafeInteger(before) || !Number.isSafeInteger(afterId) || formatPagePosition(before, afterId) !== text) {
    return undefined;
  }
  return { ...(before === 0 ? {} : { before }), afterId };
}
