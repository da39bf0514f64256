/** What devices and keys have in common: those with the scope admin list them, newest first, and revoke them for good. */
import { Revoke } from '../../../shared/schema/auth.ts';
import { Closed } from '../../../shared/schema/fields.ts';
import { accessTransaction } from '../../auth/device-transaction.ts';
import type { Access } from '../../auth/device-set.ts';
import type { RestAnswer } from '../../core/reply.ts';
import type { AccessPage, AccessQuery, AccessWants } from '../../store/access.ts';
import type { RouteDocs } from '../../openapi/route-docs.ts';
import { openlyKeyed } from './idempotency-key.ts';
import { isUuid, limitOf, listQuery, pageReply, readPageCursor } from './list.ts';
import type { PathId } from './path-ids.ts';
import { route, type Route } from '../route.ts';
import type { Services } from '../services.ts';

interface List {
  path: string;
  read(accountId: string, query: AccessQuery): Promise<AccessPage<unknown>>;
  docs: RouteDocs;
}

export function listRoute({ path, read, docs }: List): Route {
  return route({
    method: 'GET',
    path,
    access: ['admin'],
    query: Closed(listQuery),
    async handle({ caller, query }) {
      const list = { path, filters: {}, limit: query.limit };
      const at = readPageCursor(list, query.cursor, isUuid);
      if (!at.ok) return at;
      const before = at.position === undefined ? {} : { before: at.position };
      const page = await read(caller.accountId, { ...before, limit: limitOf(query) });
      return pageReply(list, page.rows, page.next);
    },
    docs,
  });
}

interface Revocation {
  path: string;
  /** Tells it from other requests under the same idempotency key. */
  name: string;
  idIn(params: Record<string, string>): PathId<string>;
  /** Whether the keys that it made are revoked with it where the request does not say. */
  revokesCreated: boolean;
  wants(id: string): Partial<AccessWants>;
  /** Pure: it may run again. */
  revoke(access: Access, id: string, how: { now: string; revokesCreated: boolean }): RestAnswer;
  docs: RouteDocs;
}

export function revokeRoute(services: Services, revocation: Revocation): Route {
  const { path, name, idIn, wants, revoke, docs } = revocation;
  return route({
    method: 'POST',
    path,
    access: ['admin'],
    body: Revoke,
    async handle(request) {
      const named = idIn(request.params);
      if (!named.ok) return named;
      const { id } = named;
      const keyed = openlyKeyed(request, [name, id]);
      if (!keyed.ok) return keyed;
      const { revoke_created: revokesCreated = revocation.revokesCreated } = request.body;
      return accessTransaction(services, request.caller, {
        wants: wants(id),
        idempotency: keyed.idempotency,
        decide: (access, now) => revoke(access, id, { now, revokesCreated }),
      });
    },
    docs,
  });
}
