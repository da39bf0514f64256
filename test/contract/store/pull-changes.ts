import type { RecordChange } from '../../../shared/protocol/pull.ts';
import type { ChangesQuery } from '../../../server/store/queries.ts';
import type { Store } from '../../../server/store/store.ts';

const kinds = ['map', 'run'] as const;

/** Reads the pages of changes from `after` on, as `GET /sync/pull` does, until a page is the last. */
export async function pullChanges(
  store: Store,
  accountId: string,
  query: Partial<ChangesQuery>,
  between?: () => Promise<unknown>,
) {
  const changes: RecordChange[] = [];
  let deletedAfter = query.deletedAfter;
  for (let after = query.after ?? 0; ; await between?.()) {
    const page = await store.changes(accountId, {
      limit: 500,
      kinds,
      ...query,
      after,
      ...(deletedAfter === undefined ? {} : { deletedAfter }),
    });
    if (query.after === undefined || query.after === 0) deletedAfter ??= page.accountVersion;
    changes.push(...page.changes);
    after = page.version;
    if (!page.hasMore) return { changes, version: after };
  }
}
