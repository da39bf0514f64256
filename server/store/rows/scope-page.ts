/** Makes a page of a scope's runs. One run may have megabytes, so a page has a limit in bytes, too. */
import { parseUndeletedRunDoc, type UndeletedRunColumns } from './documents.ts';
import { positionAfterAllRuns, type RunPosition, type RunsInScopePage, type RunsInScopeQuery } from '../queries.ts';

/**
 * A row of the scope query. `found_count` is the number of runs that are left in the scope, counted up to `limit` + 1.
 */
export interface ScopeRow extends UndeletedRunColumns {
  found_count: number;
}

/** A page ends with the run that brings its size to this limit, so it exceeds the limit by at most one run. */
export const scopePageBytesMax = 4 * 1024 * 1024;

const positionParameters = ({ createdMs, id }: RunPosition) => [new Date(createdMs).toISOString(), id] as const;

/** Returns the SQL parameters after the account's id, in the order in which both drivers number them. */
export const scopeParameters = ({ start, before = positionAfterAllRuns, runsPerMap, limit }: RunsInScopeQuery) => [
  ...positionParameters(start),
  ...positionParameters(before),
  runsPerMap ?? null,
  limit + 1,
  scopePageBytesMax,
];

/** Makes a page of at most `limit` runs from the rows that the query for a device's scope found. */
export function toScopePage(found: readonly ScopeRow[], limit: number): RunsInScopePage {
  const rows = found.slice(0, limit);
  return { runs: rows.map(parseUndeletedRunDoc), hasMore: rows.length < (found[0]?.found_count ?? 0) };
}
