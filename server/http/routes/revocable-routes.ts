/** The routes that devices and API keys have in common: an admin can list them, newest first, and revoke one for good. */
import { RevokeRequest } from '../../../shared/schema/auth.ts';
import { Closed } from '../../../shared/schema/fields.ts';
import { credentialTransaction } from '../../auth/credential-transaction.ts';
import type { CredentialSet } from '../../auth/credential-set.ts';
import type { RestReply } from '../../core/reply.ts';
import type { CredentialPage, CredentialQuery, CredentialReadSet } from '../../store/credentials/credentials.ts';
import type { RouteDocs } from '../../openapi/route-docs.ts';
import { idempotencyOf } from './idempotency-key.ts';
import { isUuid, pageLimitOf, listQuery, pageReply, parsePageCursor } from './list.ts';
import type { PathIdResult } from './path-ids.ts';
import { route, type Route } from '../route.ts';
import type { Services } from '../services.ts';

interface ListRouteOptions {
  path: string;
  read(accountId: string, query: CredentialQuery): Promise<CredentialPage<unknown>>;
  docs: RouteDocs;
}

export function listRoute({ path, read, docs }: ListRouteOptions): Route {
  return route({
    method: 'GET',
    path,
    access: ['admin'],
    query: Closed(listQuery),
    async handle({ caller, query }) {
      const list = { path, filters: {}, limit: query.limit };
      const at = parsePageCursor(list, query.cursor, isUuid);
      if (!at.ok) return at;
      const before = at.position === undefined ? {} : { before: at.position };
      const page = await read(caller.accountId, { ...before, limit: pageLimitOf(query) });
      return pageReply(list, page.rows, page.next);
    },
    docs,
  });
}

interface RevokeRouteOptions {
  path: string;
  /** The name of the operation. Another operation with the same idempotency key is refused. */
  name: string;
  idIn(params: Record<string, string>): PathIdResult<string>;
  /** The default of the request's field `revoke_created`: whether the created keys are revoked, too. */
  revokesCreated: boolean;
  readSet(id: string): Partial<CredentialReadSet>;
  /** Must be pure, since the transaction may run `revoke` again. */
  revoke(credentials: CredentialSet, id: string, how: { now: string; revokesCreated: boolean }): RestReply;
  docs: RouteDocs;
}

export function revokeRoute(services: Services, revocation: RevokeRouteOptions): Route {
  const { path, name, idIn, readSet, revoke, docs } = revocation;
  return route({
    method: 'POST',
    path,
    access: ['admin'],
    body: RevokeRequest,
    async handle(request) {
      const named = idIn(request.params);
      if (!named.ok) return named;
      const { id } = named;
      const keyed = idempotencyOf(request, [name, id]);
      if (!keyed.ok) return keyed;
      const { revoke_created: revokesCreated = revocation.revokesCreated } = request.body;
      return credentialTransaction(services, request.caller, {
        readSet: readSet(id),
        idempotency: keyed.idempotency,
        decide: (credentials, now) => revoke(credentials, id, { now, revokesCreated }),
      });
    },
    docs,
  });
}
