/** A page of changes from the rows of one snapshot, which are in the order of their versions and one more than the page holds. */
import type { RecordChange } from '../../shared/protocol/pull.ts';
import type { ChangesPage, ChangesQuery } from './store.ts';

export function changesPage(found: RecordChange[], limit: number, accountVersion: number): ChangesPage {
  const changes = found.slice(0, limit);
  const hasMore = found.length > limit;
  const last = changes.at(-1);
  return { changes, version: hasMore && last ? last.version : accountVersion, accountVersion, hasMore };
}

/** In one snapshot no run was deleted after this version: who starts at 0 hears of none. */
const never = Number.MAX_SAFE_INTEGER;

export function deletedAfter(query: ChangesQuery): number {
  return query.deletedAfter ?? (query.after === 0 ? never : 0);
}
