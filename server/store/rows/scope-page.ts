/** Makes a page of a scope's runs. One run may have megabytes, so a page has a limit in bytes, too. */
import { parseUndeletedRunDoc, type UndeletedRunText } from './documents.ts';
import type { RunPosition, RunsInScope, RunsInScopeQuery } from '../queries.ts';

/** A run of the page, with how many runs there are up to the one after the page. */
export interface ScopeRow extends UndeletedRunText {
  found_count: number;
}

/** The next page has the run that reaches this size, unless it is the first of its page. */
export const scopePageBytesMax = 4 * 1024 * 1024;

/** Comes after every run. */
const endPosition: RunPosition = { createdMs: Date.UTC(9999, 0), id: 0 };

const toColumns = ({ createdMs, id }: RunPosition) => [new Date(createdMs).toISOString(), id] as const;

/** The parameters after the account's id, in the order in which both drivers number them. */
export const scopeParameters = ({ start, before = endPosition, perMap, limit }: RunsInScopeQuery) => [
  ...toColumns(start),
  ...toColumns(before),
  perMap ?? null,
  limit + 1,
  scopePageBytesMax,
];

/** `found` may have one row more than the page. */
export function scopePage(found: readonly ScopeRow[], limit: number): RunsInScope {
  const rows = found.slice(0, limit);
  return { runs: rows.map(parseUndeletedRunDoc), hasMore: rows.length < (found[0]?.found_count ?? 0) };
}
