/** Lists the runs of a map that match a filter. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Type, type Static } from 'typebox';
import { validationRefusal } from '../../shared/domain/outcome.ts';
import { tagKey } from '../../shared/domain/tags.ts';
import { Closed, Described, Instant, Uuid, VisibleText } from '../../shared/schema/fields.ts';
import { tagLengthMax } from '../../shared/schema/limits.ts';
import type { RunRecord } from '../../shared/schema/run.ts';
import type { Page } from '../store/page.ts';
import type { Store } from '../store/store.ts';
import type { RefusedReply } from './route-reply.ts';

export const runFilterFields = {
  from: Described(
    Type.Optional(Instant),
    'Only runs that began at this instant or later. A run without `started_at` counts by `created_at`.',
  ),
  to: Described(Type.Optional(Instant), 'Only runs that began before this instant, which itself is not included.'),
  device_id: Described(Type.Optional(Uuid), 'Only runs that this device uploaded.'),
  tag: Described(
    Type.Optional(VisibleText(tagLengthMax)),
    'Only runs with this tag. Case and white space around it do not count.',
  ),
  excluded: Described(
    Type.Optional(Type.Boolean({ expected: 'true or false' })),
    'Only runs that are excluded, or only those that count.',
  ),
};
const RunFilter = Closed(runFilterFields);
export type RunFilter = Static<typeof RunFilter>;

/** Removes absent filters. A cursor contains a hash of the filters, and an absent filter must not change the hash. */
export const withoutAbsentFilters = ({ from, to, device_id, tag, excluded }: RunFilter): RunFilter => ({
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
  ...(device_id !== undefined && { device_id }),
  ...(tag !== undefined && { tag }),
  ...(excluded !== undefined && { excluded }),
});

export function refuseReversedTimes({ from, to }: RunFilter): RefusedReply | undefined {
  if (from === undefined || to === undefined || Date.parse(from) <= Date.parse(to)) return undefined;
  return validationRefusal([{ path: '/to', message: 'must not be before from' }]);
}

interface RunListQuery {
  mapId: string;
  filter: RunFilter;
  /** Selects runs with a lower number, for the next page. */
  before?: number;
  limit: number;
}

/** A batch of this many runs, without their steps, takes a few milliseconds to parse. */
const runsPerRead = 1_000;
const readsPerPageMax = 20;

/**
 * Lists runs, newest first. The filter is applied here, since no database compares tags as `tagKey` does. A page that
 * has read 20,000 runs ends, with fewer runs than the limit and a next page.
 */
export async function listFilteredRuns(
  store: Pick<Store, 'runs'>,
  accountId: string,
  { mapId, filter, before, limit }: RunListQuery,
): Promise<Page<RunRecord>> {
  if (Object.keys(filter).length === 0) {
    return store.runs(accountId, { mapId, limit, ...(before === undefined ? {} : { before }) });
  }
  const matches = matcherOf(filter);
  const rows: RunRecord[] = [];
  let next = before ?? null;
  for (let reads = 0; reads < readsPerPageMax; reads += 1) {
    const query = { mapId, limit: runsPerRead, ...(next === null ? {} : { before: next }) };
    const page = await store.runs(accountId, query);
    for (const run of page.rows) {
      if (!matches(run)) continue;
      const last = rows.at(-1);
      if (rows.length === limit && last) return { rows, next: last.number };
      rows.push(run);
    }
    next = page.next;
    if (next === null) break;
    await nextTurn();
  }
  return { rows, next };
}

function matcherOf({ from, to, device_id, tag, excluded }: RunFilter): (run: RunRecord) => boolean {
  const fromMs = from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from);
  const toMs = to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to);
  const key = tag === undefined ? undefined : tagKey(tag);
  const deviceId = device_id?.toLowerCase();
  return (run) => {
    const beganMs = Date.parse(run.started_at ?? run.created_at);
    return (
      beganMs >= fromMs &&
      beganMs < toMs &&
      (deviceId === undefined || run.device_id === deviceId) &&
      (key === undefined || (run.tags ?? []).some((one) => tagKey(one) === key)) &&
      (excluded === undefined || Boolean(run.excluded) === excluded)
    );
  };
}
