import { NewApiKey, type ApiKey, type RevokedApiKey, type NewApiKeyResult } from '../../../shared/schema/auth.ts';
import { accessTransaction } from '../../auth/device-transaction.ts';
import { answered, secretHeaders } from '../../core/reply.ts';
import { allScopes, ordered } from '../../auth/scopes.ts';
import { newToken } from '../../auth/token.ts';
import type { TokenRow } from '../../store/access.ts';
import { listRoute, revokeRoute } from './revocable-routes.ts';
import { creatorOf } from '../authenticate.ts';
import { secretlyKeyed } from './idempotency-key.ts';
import { keyIdIn, keyNotFound } from './path-ids.ts';
import { route, type Route } from '../route.ts';
import type { Services } from '../services.ts';
import type { RefusedReply } from '../reply.ts';

const path = '/api/v1/keys';

export function keyRoutes(services: Services): Route[] {
  const { store, world } = services;
  return [
    listRoute(path, (accountId, query) => store.keys(accountId, query)),

    route({
      method: 'POST',
      path,
      access: ['admin'],
      body: NewApiKey,
      async handle(request) {
        const keyed = secretlyKeyed(request, ['create_key'], world);
        if (!keyed.ok) return keyed;
        const { name = nameDefault, scopes = allScopes } = request.body;
        const { accountId } = request.caller;
        const createdBy = creatorOf(request.caller);
        const fields = { accountId, name: name.trim(), scopes: ordered(scopes), deviceId: null, createdBy };
        const { token, row } = newToken(fields, world);
        const body: NewApiKeyResult = { key: keyRecord({ ...row, last_used_at: null }), api_key: token };
        return accessTransaction(services, request.caller, {
          wants: {},
          idempotency: keyed.idempotency,
          decide(access) {
            const limit = access.keyLimit();
            if (limit !== undefined) return keyLimitReached(limit);
            access.addKey(row);
            return answered(201, body, secretHeaders);
          },
        });
      },
    }),

    revokeRoute(services, {
      path: `${path}/:id/revoke`,
      name: 'revoke_key',
      idIn: keyIdIn,
      // A rotated key is revoked with the key that it made.
      revokesCreated: false,
      wants: (id) => ({ keyIds: [id], creators: [{ kind: 'key', id }] }),
      revoke(access, id, { now, revokesCreated }) {
        const key = access.key(id);
        if (!key) return keyNotFound(id);
        if (access.isLastAdminKey(key)) return lastAdminKey;
        const revoked = access.revokeKey(key, now);
        if (revokesCreated) access.revokeCreatedKeys(now);
        const body: RevokedApiKey = { ...keyRecord(revoked), ...access.createdKeys(revoked.revoked_at ?? now) };
        return answered(200, body);
      },
    }),
  ];
}

const nameDefault = 'API key';

function keyRecord(row: TokenRow): ApiKey {
  const { id, name, scopes, last_four, created_at, created_by, last_used_at, revoked_at } = row;
  return { id, name, scopes, last_four, created_at, created_by, last_used_at, revoked_at };
}

function keyLimitReached(limit: number): RefusedReply {
  const detail = `The account has ${limit} API keys, as many as it may; revoke one first.`;
  return { ok: false, error: { code: 'key_limit_reached', detail, members: { limit } } };
}

/** Whoever still has it can make another first; without one, only the operator could let the account in again. */
const lastAdminKey: RefusedReply = {
  ok: false,
  error: {
    code: 'last_admin_key',
    detail: 'This is the last key with the scope admin. Make another one first, then revoke this one with it.',
  },
};
