/** Makes a page of a scope's runs. One run may have megabytes, so a page has a limit in bytes, too. */
import { parseUndeletedRunDoc, type UndeletedRunColumns } from './documents.ts';
import { positionAfterAllRuns, type RunPosition, type RunsInScope, type RunsInScopeQuery } from '../queries.ts';

/**
 * A run of the page. `found_count` says how many runs of the scope are left, at most `limit` + 1, whatever their size.
 */
export interface ScopeRow extends UndeletedRunColumns {
  found_count: number;
}

/** A page ends with the run that reaches this size, so a page exceeds the size by at most one run. */
export const scopePageBytesMax = 4 * 1024 * 1024;

const positionColumns = ({ createdMs, id }: RunPosition) => [new Date(createdMs).toISOString(), id] as const;

/** The parameters after the account's id, in the order in which both drivers number them. */
export const scopeParameters = ({ start, before = positionAfterAllRuns, perMap, limit }: RunsInScopeQuery) => [
  ...positionColumns(start),
  ...positionColumns(before),
  perMap ?? null,
  limit + 1,
  scopePageBytesMax,
];

/** `found` may have one row more than the page. */
export function scopePage(found: readonly ScopeRow[], limit: number): RunsInScope {
  const rows = found.slice(0, limit);
  return { runs: rows.map(parseUndeletedRunDoc), hasMore: rows.length < (found[0]?.found_count ?? 0) };
}
