/** `GET /sync/pull` returns a page of the changes after a cursor. */
import { validationFailed } from '../../shared/domain/outcome.ts';
import type { PullQuery, PullResponse } from '../../shared/protocol/pull.ts';
import { pullableKinds } from '../../shared/protocol/pullable-kinds.ts';
import { pullLimitDefault } from '../../shared/schema/limits.ts';
import type { RefusedRequest } from '../core/reply.ts';
import type { Caller } from '../core/caller.ts';
import type { Store } from '../store/store.ts';
import { accountRefusal } from './account-refusal.ts';
import { formatCursor, parseCursor } from './cursor.ts';
import type { ClientOwners } from './client-owners.ts';

export async function pull(
  { store, owners }: { store: Store; owners: ClientOwners },
  caller: Pick<Caller, 'accountId' | 'deviceId'>,
  query: PullQuery,
): Promise<{ ok: true; response: PullResponse } | RefusedRequest> {
  const mismatch = accountRefusal(query.account_id, caller);
  if (mismatch) return mismatch;
  const cursor = parseCursor(query.cursor ?? '');
  if (!cursor) return validationFailed([{ path: '/cursor', message: 'is not a cursor of this service' }]);
  const clientId = query.client_id?.toLowerCase();
  const refusal =
    clientId === undefined ? undefined : await owners.check(clientId, { ...caller, carried: query.carried });
  if (refusal) return refusal;

  const { deletedAfter } = cursor;
  const kinds = query.kinds?.split(',');
  const page = await store.changes(caller.accountId, {
    after: cursor.version,
    limit: query.limit ?? pullLimitDefault,
    kinds: kinds ? pullableKinds.filter((kind) => kinds.includes(kind)) : pullableKinds,
    ...(clientId === undefined ? {} : { clientId }),
    ...(deletedAfter === undefined ? {} : { deletedAfter }),
  });
  // All pages of a first pull leave out the runs that were deleted before the pull began.
  const firstPullVersion = deletedAfter ?? (cursor.version === 0 ? page.accountVersion : undefined);
  const next = page.hasMore && firstPullVersion !== undefined ? { deletedAfter: firstPullVersion } : {};
  return {
    ok: true,
    response: {
      changes: page.changes,
      cursor: formatCursor({ version: page.version, ...next }),
      has_more: page.hasMore,
      epoch: await store.epoch(),
      account_id: caller.accountId,
      push_effects: true,
    },
  };
}
