/**
 * Parses the header `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header). Requests with the same idempotency
 * key take effect once.
 */
import { assert } from '../../../../shared/domain/assert.ts';
import { validationRefusal } from '../../../../shared/domain/outcome.ts';
import { requestFingerprint, sha256 } from '../../../core/hash.ts';
import type { IdempotencyKey } from '../../../mutate/idempotent-unit.ts';
import { createReplySeal } from '../../../core/seal.ts';
import type { World } from '../../../core/world.ts';
import { bearerToken } from '../../authenticate.ts';
import type { ApiRequest } from '../../route.ts';
import type { RefusedReply } from '../../route-reply.ts';

/** Without an idempotency key, `idempotency` is undefined, and a repeated request takes effect again. */
type IdempotencyResult = { ok: true; idempotency: IdempotencyKey | undefined } | RefusedReply;

/**
 * `operation` has the operation's name and the ids in its path. A response with a secret needs
 * `parseSealedIdempotency`.
 */
export function parseIdempotency(request: ApiRequest, operation: unknown[]): IdempotencyResult {
  return parseIdempotencyHeader(request, () => requestFingerprint(operation, request.body));
}

/**
 * Parses the header like `parseIdempotency`, for a response with a secret. The stored response is encrypted with the
 * caller's token. The fingerprint includes the token, so a repeated request with another token is refused.
 */
export function parseSealedIdempotency(request: ApiRequest, operation: unknown[], world: World): IdempotencyResult {
  const token = bearerToken(request.header('Authorization'));
  assert(token !== undefined, 'a caller who may see a secret has a token');
  const unsealed = parseIdempotencyHeader(request, () =>
    requestFingerprint([...operation, sha256(token)], request.body),
  );
  if (!unsealed.ok || !unsealed.idempotency) return unsealed;
  return { ok: true, idempotency: { ...unsealed.idempotency, seal: createReplySeal(token, world) } };
}

/**
 * Returns the idempotency key without quotes. Drafts of the standard put the key into quotes, but many clients do not.
 */
export function unquotedIdempotencyKey(header: ApiRequest['header']): string | undefined {
  const text = header('Idempotency-Key');
  return text === undefined ? undefined : (/^"(.*)"$/.exec(text)?.[1] ?? text);
}

export function wrongIdempotencyKeyRefusal(message: string): RefusedReply {
  return validationRefusal([{ path: '/Idempotency-Key', message }]);
}

function parseIdempotencyHeader({ header, caller }: ApiRequest, fingerprint: () => string): IdempotencyResult {
  const text = unquotedIdempotencyKey(header);
  if (text === undefined) return { ok: true, idempotency: undefined };
  if (!/^[\x20-\x7e]{1,255}$/.test(text))
    return wrongIdempotencyKeyRefusal('must be 1 to 255 printable ASCII characters');
  // The store has the operator's idempotency keys together with the account's. The prefix `operator · ` has a character
  // that is not ASCII, so that no user of the account can send the same key.
  const key = caller.kind === 'operator' ? `operator · ${text}` : text;
  return { ok: true, idempotency: { key, fingerprint: fingerprint() } };
}
