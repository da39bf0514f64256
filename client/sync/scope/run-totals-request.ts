/** Requests the runs of a map without their steps. Loaded with the first such request. */
import type { RunRecord } from '../../../shared/schema/run.ts';
import { isObject, type JsonObject } from '../../core/json-object.ts';
import { isText } from '../net/parse-response.ts';
import type { RequestJson } from '../net/transport.ts';

/** The fields of a run that a trend shows. */
export type RunTotals = Pick<
  RunRecord,
  'id' | 'number' | 'name' | 'total_time_secs' | 'pce' | 'started_at' | 'created_at'
>;

export interface TotalsQuery {
  mapId: string;
  /** Selects runs that began at this time or later, in milliseconds since 1970. */
  fromMs?: number;
  limit: number;
  /** The cursor of a page after the first; the page before names it as `next`. */
  page?: string;
}

export interface TotalsPage {
  runs: RunTotals[];
  /** Null on the last page. */
  next: string | null;
}

/** Returns one page of a map's runs without excluded ones, the highest run numbers first. */
export async function requestRunTotals(
  requestJson: RequestJson,
  { mapId, fromMs, limit, page }: TotalsQuery,
  signal: AbortSignal,
): Promise<TotalsPage> {
  const query = new URLSearchParams({
    excluded: 'false',
    limit: String(limit),
    ...(fromMs === undefined ? {} : { from: new Date(fromMs).toISOString() }),
    ...(page === undefined ? {} : { cursor: page }),
  });
  const path = `maps/${encodeURIComponent(mapId)}/runs?${query}`;
  const { data, next_cursor } = await requestJson<{ data: RunRecord[]; next_cursor: string | null }>(
    path,
    { signal },
    isTotalsPage,
  );
  return { runs: data.map(totalsOf), next: next_cursor };
}

/** Returns only the fields of `RunTotals`, since the notes and tags of a run may have megabytes. */
export const totalsOf = (run: RunTotals): RunTotals => {
  const { id, number, name, total_time_secs, pce, started_at, created_at } = run;
  return { id, number, ...(name === undefined ? {} : { name }), total_time_secs, pce, started_at, created_at };
};

const isTotalsPage = ({ data, next_cursor: next }: JsonObject): boolean =>
  Array.isArray(data) && data.every(isRun) && (next === null || isText(next));

function isRun(run: unknown): boolean {
  if (!isObject(run)) return false;
  const { id, number, total_time_secs, pce, started_at, created_at } = run;
  const isTime = (at: unknown) => isText(at) && !Number.isNaN(Date.parse(at));
  return (
    [id, number].every(Number.isSafeInteger) &&
    Number.isFinite(total_time_secs) &&
    (pce === null || Number.isFinite(pce)) &&
    (started_at === null || isTime(started_at)) &&
    isTime(created_at)
  );
}
