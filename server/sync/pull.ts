/** `GET /sync/pull` returns a page of the changes after a cursor. */
import { validationRefusal } from '../../shared/domain/outcome.ts';
import type { PullQuery, PullResponse } from '../../shared/protocol/pull.ts';
import { pullableKinds } from '../../shared/protocol/pullable-kinds.ts';
import type { RunScopeQuery } from '../../shared/protocol/run-scope.ts';
import { pullLimitDefault } from '../../shared/schema/limits.ts';
import type { RefusedRequest } from '../core/reply.ts';
import type { Caller } from '../core/caller.ts';
import type { World } from '../core/world.ts';
import type { ChangesPage, ChangesQuery } from '../store/queries.ts';
import type { Store } from '../store/store.ts';
import { accountRefusal } from './account-refusal.ts';
import { formatCursor, parseCursor, type Cursor } from './cursor.ts';
import type { ClientOwners } from './client-owners.ts';
import { isBeyondScope, pullScoped, scopeOf } from './scoped-pull.ts';

export async function pull(
  services: { store: Store; owners: ClientOwners; world: World },
  caller: Pick<Caller, 'accountId' | 'deviceId'>,
  query: PullQuery,
): Promise<{ ok: true; response: PullResponse } | RefusedRequest> {
  const mismatch = accountRefusal(query.account_id, caller);
  if (mismatch) return mismatch;
  const cursor = parseCursor(query.cursor ?? '');
  if (!cursor) return cursorRefusal('is not a cursor of this service');
  const clientId = query.client_id?.toLowerCase();
  const refusal =
    clientId === undefined ? undefined : await services.owners.check(clientId, { ...caller, carried: query.carried });
  if (refusal) return refusal;

  const { accountId } = caller;
  const limit = query.limit ?? pullLimitDefault;
  const client = clientId === undefined ? {} : { clientId };
  const scope = scopeOf(query);
  const isScoped = cursor.scoped !== undefined || (scope !== undefined && (query.cursor ?? '') === '');
  const page = isScoped
    ? await pullScoped(services, accountId, { cursor, scope: scope ?? {}, limit, ...client })
    : await pullChanges(services, accountId, { cursor, scope, limit, kinds: query.kinds?.split(','), ...client });
  if (!page) return cursorRefusal('is from before more changes than runs_max');
  const response = {
    changes: page.changes,
    cursor: formatCursor(page.cursor),
    has_more: page.hasMore,
    epoch: await services.store.epoch(),
    account_id: accountId,
    push_effects: true,
    push_brief: true,
    ...(page.partial === undefined ? {} : { partial: page.partial }),
  };
  return { ok: true, response };
}

interface PulledPage extends Pick<ChangesPage, 'changes' | 'hasMore'> {
  cursor: Cursor;
  partial?: boolean;
}

interface CursorQuery extends Pick<ChangesQuery, 'limit' | 'clientId'> {
  cursor: Cursor;
  scope: RunScopeQuery | undefined;
  kinds: readonly string[] | undefined;
}

/** Resolves to undefined if more runs changed after the cursor than the scope has. */
async function pullChanges(
  { store }: { store: Store },
  accountId: string,
  { cursor, scope, kinds, ...query }: CursorQuery,
): Promise<PulledPage | undefined> {
  const { began } = cursor;
  const page = await store.changes(accountId, {
    ...query,
    after: cursor.version,
    kinds: kinds ? pullableKinds.filter((kind) => kinds.includes(kind)) : pullableKinds,
    ...(began === undefined ? {} : { deletedAfter: began }),
  });
  if (scope && (await isBeyondScope(store, accountId, { after: cursor.version, page, scope }))) return undefined;
  // All pages of a first pull leave out the runs that were deleted before the pull began.
  const beganVersion = began ?? (cursor.version === 0 ? page.accountVersion : undefined);
  const next = page.hasMore && beganVersion !== undefined ? { began: beganVersion } : {};
  return { ...page, cursor: { version: page.version, ...next } };
}

const cursorRefusal = (message: string): RefusedRequest => validationRefusal([{ path: '/cursor', message }]);
