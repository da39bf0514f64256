/**
 * Reads the header `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header). Requests with the same key take
 * effect once.
 */
import { assert } from '../../../shared/domain/assert.ts';
import { invalid } from '../../../shared/domain/outcome.ts';
import { requestFingerprint, sha256 } from '../../core/hash.ts';
import type { IdempotencyKey } from '../../mutate/idempotent-unit.ts';
import { sealWith } from '../../core/seal.ts';
import type { World } from '../../core/world.ts';
import { bearerToken, noCaller } from '../authenticate.ts';
import type { ApiRequest } from '../route.ts';
import type { RefusedReply } from '../route-reply.ts';

/** `idempotency` is undefined if the request has no key; the request is then not idempotent. */
type ReadKey = { ok: true; idempotency: IdempotencyKey | undefined } | RefusedReply;

/** For a request whose response contains no secret. `route` identifies the operation and the ids in its path. */
export function idempotencyOf(request: ApiRequest, route: unknown[]): ReadKey {
  return readKey(request, () => requestFingerprint(route, request.body));
}

/**
 * For a request whose response contains a secret. The remembered response is encrypted with the caller's token. The
 * fingerprint includes the token, so another token gets a mismatch and not the response.
 */
export function sealedIdempotencyOf(request: ApiRequest, route: unknown[], world: World): ReadKey {
  const token = bearerToken(request.header('Authorization'));
  assert(token !== undefined, 'whoever is let in to a secret has shown a token');
  const openly = readKey(request, () => requestFingerprint([...route, sha256(token)], request.body));
  if (!openly.ok || !openly.idempotency) return openly;
  return { ok: true, idempotency: { ...openly.idempotency, seal: sealWith(token, world) } };
}

/** Returns the key. Drafts of the header's standard quote it; both forms name the same key. */
export function idempotencyKeyHeader(header: ApiRequest['header']): string | undefined {
  const text = header('Idempotency-Key');
  return text === undefined ? undefined : (/^"(.*)"$/.exec(text)?.[1] ?? text);
}

export function wrongIdempotencyKey(message: string): RefusedReply {
  return invalid([{ path: '/Idempotency-Key', message }]);
}

function readKey({ header, caller }: ApiRequest, fingerprint: () => string): ReadKey {
  const text = idempotencyKeyHeader(header);
  if (text === undefined) return { ok: true, idempotency: undefined };
  if (!/^[\x20-\x7e]{1,255}$/.test(text)) return wrongIdempotencyKey('must be 1 to 255 printable ASCII characters');
  // Responses to the operator are remembered in the account that they change. A user's key is ASCII and never has the
  // `·`, so no user can send the operator's key.
  const key = caller === noCaller ? `operator · ${text}` : text;
  return { ok: true, idempotency: { key, fingerprint: fingerprint() } };
}
