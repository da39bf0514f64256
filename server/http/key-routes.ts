import { Type } from 'typebox';
import { NewApiKey, type ApiKey, type NewApiKeyResult } from '../../shared/schema/auth.ts';
import { Closed } from '../../shared/schema/fields.ts';
import { accessTransaction } from '../mutate/access-transaction.ts';
import { newToken } from '../mutate/api-key.ts';
import { allScopes, ordered } from '../mutate/scopes.ts';
import type { TokenRow } from '../store/access.ts';
import { openlyKeyed, secretlyKeyed } from './access-change.ts';
import { isUuid, limitOf, listQuery, pageReply, readPageCursor } from './list.ts';
import { keyIdIn, keyNotFound } from './path-ids.ts';
import { route, type RefusedReply, type Route } from './route.ts';
import type { Services } from './services.ts';

const path = '/api/v1/keys';

export function keyRoutes(services: Services): Route[] {
  const { store, world } = services;
  return [
    route({
      method: 'GET',
      path,
      access: ['admin'],
      query: Type.Object(listQuery),
      async handle({ caller, query }) {
        const list = { path, filters: {}, limit: query.limit };
        const at = readPageCursor(list, query.cursor, isUuid);
        if (!at.ok) return at;
        const before = at.position === undefined ? {} : { before: at.position };
        const page = await store.keys(caller.accountId, { ...before, limit: limitOf(query) });
        return pageReply(list, page.rows, page.next);
      },
    }),

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
        const fields = { accountId, name: name.trim(), scopes: ordered(scopes), deviceId: null };
        const { token, row } = newToken(fields, world);
        const body: NewApiKeyResult = { key: keyRecord({ ...row, last_used_at: null }), api_key: token };
        return accessTransaction(services, accountId, {
          wants: {},
          idempotency: keyed.idempotency,
          decide(access) {
            const limit = access.keyLimit();
            if (limit !== undefined) return keyLimitReached(limit);
            access.addKey(row);
            return { ok: true, answer: { status: 201, headers: { 'Cache-Control': 'no-store' }, body } };
          },
        });
      },
    }),

    route({
      method: 'POST',
      path: `${path}/:id/revoke`,
      access: ['admin'],
      body: Closed({}),
      async handle(request) {
        const key = keyIdIn(request.params);
        if (!key.ok) return key;
        const keyed = openlyKeyed(request, ['revoke_key', key.id]);
        if (!keyed.ok) return keyed;
        return accessTransaction(services, request.caller.accountId, {
          wants: { keyIds: [key.id] },
          idempotency: keyed.idempotency,
          decide(access, now) {
            const known = access.key(key.id);
            if (!known) return keyNotFound(key.id);
            if (access.isLastAdminKey(known)) return lastAdminKey;
            return { ok: true, answer: { status: 200, headers: {}, body: keyRecord(access.revokeKey(known, now)) } };
          },
        });
      },
    }),
  ];
}

const nameDefault = 'API key';

function keyRecord(row: TokenRow): ApiKey {
  const { id, name, scopes, last_four, created_at, last_used_at, revoked_at } = row;
  return { id, name, scopes, last_four, created_at, last_used_at, revoked_at };
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
