import { ApiKeyPage, NewApiKey, NewApiKeyResult, RevokedApiKey } from '../../../shared/schema/auth.ts';
import { runCredentialTransaction } from '../../auth/credential-transaction.ts';
import { successReply, uncachedHeaders } from '../../core/reply.ts';
import { toApiKey } from '../../auth/api-key.ts';
import { allScopes, orderedScopes } from '../../auth/scopes.ts';
import { newToken } from '../../auth/token.ts';
import { exampleKeyId } from './example-ids.ts';
import { credentialListRoute, credentialRevokeRoute } from './revocable-routes.ts';
import { callerAsCreator } from '../authenticate.ts';
import { parseSealedIdempotency } from './mutation/idempotency-key.ts';
import { parseKeyId, keyNotFoundRefusal } from './path-ids.ts';
import { route, type Route } from '../route.ts';
import type { Services } from '../services.ts';
import type { RefusedReply } from '../route-reply.ts';

const path = '/api/v1/keys';

export function keyRoutes(services: Services): Route[] {
  const { store, world } = services;
  return [
    credentialListRoute({
      path,
      read: (accountId, query) => store.keys(accountId, query),
      docs: {
        operationId: 'listKeys',
        tag: 'Access',
        summary: 'List API keys',
        description: 'The API keys of the account, newest first, by their last four characters.',
        response: { status: 200, description: 'A page of keys.', schema: ApiKeyPage, headers: ['Link'] },
        examples: { plain: { summary: 'All keys' } },
      },
    }),

    route({
      method: 'POST',
      path,
      access: ['admin'],
      body: NewApiKey,
      async handle(request) {
        const parsedKey = parseSealedIdempotency(request, ['create_key'], world);
        if (!parsedKey.ok) return parsedKey;
        const { name = keyNameDefault, scopes = allScopes } = request.body;
        const { accountId } = request.caller;
        const createdBy = callerAsCreator(request.caller);
        const fields = { accountId, name: name.trim(), scopes: orderedScopes(scopes), deviceId: null, createdBy };
        const { token, row } = newToken(fields, world);
        const body: NewApiKeyResult = { key: toApiKey({ ...row, last_used_at: null }), api_key: token };
        return runCredentialTransaction(services, request.caller, {
          readSet: {},
          idempotency: parsedKey.idempotency,
          decide(credentials) {
            const limit = credentials.exceededKeyLimit();
            if (limit !== undefined) return keyLimitRefusal(limit);
            credentials.addKey(row);
            return successReply(201, body, uncachedHeaders);
          },
        });
      },
      docs: {
        operationId: 'createKey',
        tag: 'Access',
        summary: 'Make an API key',
        description:
          'To rotate a key, make another one, use it everywhere, then revoke the old one. An account may have 100 keys that are not revoked.',
        response: { status: 201, description: 'The key with its secret.', schema: NewApiKeyResult },
        codes: ['key_limit_reached'],
        idempotency: 'key',
        examples: { reader: { summary: 'A key that only reads', body: { name: 'Dashboard', scopes: ['read'] } } },
      },
    }),

    credentialRevokeRoute(services, {
      path: `${path}/:id/revoke`,
      name: 'revoke_key',
      parseId: parseKeyId,
      // To rotate a key, the old key may create the new key. The new key must survive when the old key is revoked.
      revokesCreatedKeys: false,
      readSet: (id) => ({ keyIds: [id], creators: [{ kind: 'key', id }] }),
      revoke(credentials, id, { now, revokesCreatedKeys }) {
        const key = credentials.key(id);
        if (!key) return keyNotFoundRefusal(id);
        if (credentials.isLastAdminKey(key)) return lastAdminKeyRefusal;
        const revoked = credentials.revokeKey(key, now);
        if (revokesCreatedKeys) credentials.revokeKeysOfCreators(now);
        const body: RevokedApiKey = {
          ...toApiKey(revoked),
          ...credentials.keyIdsOfCreators(revoked.revoked_at ?? now),
        };
        return successReply(200, body);
      },
      docs: {
        operationId: 'revokeKey',
        tag: 'Access',
        summary: 'Revoke an API key',
        description:
          'The key works no longer, nor do its pairing codes. The keys that it made stay unless `revoke_created` is true. Doing it again changes nothing.',
        response: { status: 200, description: 'The key, revoked.', schema: RevokedApiKey },
        codes: ['key_not_found', 'last_admin_key'],
        idempotency: 'key',
        examples: { plain: { summary: 'A key that is not needed any more', path: { id: exampleKeyId } } },
      },
    }),
  ];
}

const keyNameDefault = 'API key';

function keyLimitRefusal(limit: number): RefusedReply {
  const detail = `The account has ${limit} API keys, as many as it may; revoke one first.`;
  return { ok: false, error: { code: 'key_limit_reached', detail, members: { limit } } };
}

/** Without any admin key, the account could get a new key only from the operator. */
const lastAdminKeyRefusal: RefusedReply = {
  ok: false,
  error: {
    code: 'last_admin_key',
    detail: 'This is the last key with the scope admin. Make another one first, then revoke this one with it.',
  },
};
