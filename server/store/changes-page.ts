/** A page of changes: bounded in their number and, since a record may have megabytes, in their bytes. */
import type { RecordChange } from '../../shared/protocol/pull.ts';
import type { ChangesPage, ChangesQuery } from './store.ts';

/** A page ends with the record that reaches it, so that it holds at least one and at most this and one record. */
export const changesBytesMax = 4 * 1024 * 1024;

/**
 * `found` are the rows of one snapshot in the order of their versions, as far as the page goes and, if there is one, the
 * row behind it. `bytes_before` is the size of all rows before a row.
 */
export function changesPage<Row extends { bytes_before: number }>(
  found: Row[],
  { limit, accountVersion, change }: { limit: number; accountVersion: number; change: (row: Row) => RecordChange },
): ChangesPage {
  const changes = found.filter((row, index) => !isBehindPage(row, index, limit)).map(change);
  const hasMore = changes.length < found.length;
  const last = changes.at(-1);
  return { changes, version: hasMore && last ? last.version : accountVersion, accountVersion, hasMore };
}

export function isBehindPage({ bytes_before }: { bytes_before: number }, index: number, limit: number): boolean {
  return index >= limit || bytes_before >= changesBytesMax;
}

/** In one snapshot no run was deleted after this version: who starts at 0 hears of none. */
const never = Number.MAX_SAFE_INTEGER;

export function deletedAfter(query: ChangesQuery): number {
  return query.deletedAfter ?? (query.after === 0 ? never : 0);
}
