/** What devices and keys have in common: those with the scope admin list them, newest first, and revoke them for good. */
import { Closed } from '../../shared/schema/fields.ts';
import { accessTransaction } from '../mutate/access-transaction.ts';
import type { Access } from '../mutate/access.ts';
import type { RestAnswer } from '../mutate/answer.ts';
import type { AccessPage, AccessQuery, AccessWants } from '../store/access.ts';
import { openlyKeyed } from './idempotency-key.ts';
import { isUuid, limitOf, listQuery, pageReply, readPageCursor } from './list.ts';
import type { PathId } from './path-ids.ts';
import { route, type Route } from './route.ts';
import type { Services } from './services.ts';

export function listRoute(
  path: string,
  read: (accountId: string, query: AccessQuery) => Promise<AccessPage<unknown>>,
): Route {
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
  });
}

interface Revocation {
  path: string;
  /** Tells it from other requests under the same idempotency key. */
  name: string;
  idIn(params: Record<string, string>): PathId<string>;
  wants(id: string): Partial<AccessWants>;
  /** Pure: it may run again. */
  revoke(access: Access, id: string, now: string): RestAnswer;
}

export function revokeRoute(services: Services, { path, name, idIn, wants, revoke }: Revocation): Route {
  return route({
    method: 'POST',
    path,
    access: ['admin'],
    body: Closed({}),
    async handle(request) {
      const named = idIn(request.params);
      if (!named.ok) return named;
      const { id } = named;
      const keyed = openlyKeyed(request, [name, id]);
      if (!keyed.ok) return keyed;
      return accessTransaction(services, request.caller, {
        wants: wants(id),
        idempotency: keyed.idempotency,
        decide: (access, now) => revoke(access, id, now),
      });
    },
  });
}
