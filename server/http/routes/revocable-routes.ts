/** Builds the routes by which an admin lists credentials, newest first, or revokes a device or an API key for good. */
import { RevokeRequest } from '../../../shared/schema/auth.ts';
import { Closed } from '../../../shared/schema/fields.ts';
import { runCredentialTransaction } from '../../auth/credential-transaction.ts';
import type { CredentialWorkingSet } from '../../auth/credential-working-set.ts';
import type { RestReply } from '../../core/reply.ts';
import type { CredentialPage, CredentialQuery, CredentialReadSet } from '../../store/credentials/credentials.ts';
import type { RouteDocs } from '../../openapi/route-docs.ts';
import { parseIdempotency } from './mutation/idempotency-key.ts';
import { isLowerCaseUuid, pageLimitOf, pageQueryFields, pageReply, parsePageCursor } from './list.ts';
import type { PathIdResult } from './path-ids.ts';
import { route, type Route } from '../route.ts';
import type { Services } from '../services.ts';

interface CredentialListRouteOptions {
  path: string;
  read(accountId: string, query: CredentialQuery): Promise<CredentialPage<unknown>>;
  docs: RouteDocs;
}

export function credentialListRoute({ path, read, docs }: CredentialListRouteOptions): Route {
  return route({
    method: 'GET',
    path,
    access: ['admin'],
    query: Closed(pageQueryFields),
    async handle({ caller, query }) {
      const list = { path, filters: {}, limit: query.limit };
      const at = parsePageCursor(list, query.cursor, isLowerCaseUuid);
      if (!at.ok) return at;
      const before = at.position === undefined ? {} : { before: at.position };
      const page = await read(caller.accountId, { ...before, limit: pageLimitOf(query) });
      return pageReply(list, page.rows, page.next);
    },
    docs,
  });
}

interface CredentialRevokeRouteOptions {
  path: string;
  /** The name of the operation. A request with the idempotency key of another operation is refused. */
  name: string;
  parseId(params: Record<string, string>): PathIdResult<string>;
  /** The default of the request's field `revoke_created`: true also revokes the keys that the device or key created. */
  revokesCreatedKeys: boolean;
  readSet(id: string): Partial<CredentialReadSet>;
  /** Must be pure, since the transaction may run `revoke` again. */
  revoke(credentials: CredentialWorkingSet, id: string, how: { now: string; revokesCreatedKeys: boolean }): RestReply;
  docs: RouteDocs;
}

export function credentialRevokeRoute(services: Services, revocation: CredentialRevokeRouteOptions): Route {
  const { path, name, parseId, readSet, revoke, docs } = revocation;
  return route({
    method: 'POST',
    path,
    access: ['admin'],
    body: RevokeRequest,
    async handle(request) {
      const named = parseId(request.params);
      if (!named.ok) return named;
      const { id } = named;
      const parsedKey = parseIdempotency(request, [name, id]);
      if (!parsedKey.ok) return parsedKey;
      const { revoke_created: revokesCreatedKeys = revocation.revokesCreatedKeys } = request.body;
      return runCredentialTransaction(services, request.caller, {
        readSet: readSet(id),
        idempotency: parsedKey.idempotency,
        decide: (credentials, now) => revoke(credentials, id, { now, revokesCreatedKeys }),
      });
    },
    docs,
  });
}
