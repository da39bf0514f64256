/** Reads the header `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): a request is done once under its key. */
import { assert } from '../../../shared/domain/assert.ts';
import { invalid } from '../../../shared/domain/outcome.ts';
import { requestFingerprint, sha256 } from '../../core/hash.ts';
import type { IdempotencyKey } from '../../mutate/rest-unit.ts';
import { sealWith } from '../../core/seal.ts';
import type { World } from '../../core/world.ts';
import { bearerToken, nobody } from '../authenticate.ts';
import type { ApiRequest } from '../route.ts';
import type { RefusedReply } from '../reply.ts';

/** Without a key the request is not idempotent. */
type Keyed = { ok: true; idempotency: IdempotencyKey | undefined } | RefusedReply;

/** For a request without a secret in its answer. `route` names the request, with the ids in its path. */
export function idempotencyOf(request: ApiRequest, route: unknown[]): Keyed {
  return keyed(request, () => requestFingerprint(route, request.body));
}

/**
 * For a request with a secret in its answer. The remembered answer is sealed with the caller's token, so that the same key
 * under another token is another request's.
 */
export function sealedIdempotencyOf(request: ApiRequest, route: unknown[], world: World): Keyed {
  const token = bearerToken(request.header('Authorization'));
  assert(token !== undefined, 'whoever is let in to a secret has shown a token');
  const openly = keyed(request, () => requestFingerprint([...route, sha256(token)], request.body));
  if (!openly.ok || !openly.idempotency) return openly;
  return { ok: true, idempotency: { ...openly.idempotency, seal: sealWith(token, world) } };
}

/** The header's text. Its drafts write it as a quoted string; both forms name the same key. */
export function idempotencyKeyHeader(header: ApiRequest['header']): string | undefined {
  const text = header('Idempotency-Key');
  return text === undefined ? undefined : (/^"(.*)"$/.exec(text)?.[1] ?? text);
}

export function wrongIdempotencyKey(message: string): RefusedReply {
  return invalid([{ path: '/Idempotency-Key', message }]);
}

function keyed({ header, caller }: ApiRequest, fingerprint: () => string): Keyed {
  const text = idempotencyKeyHeader(header);
  if (text === undefined) return { ok: true, idempotency: undefined };
  if (!/^[\x20-\x7e]{1,255}$/.test(text)) return wrongIdempotencyKey('must be 1 to 255 printable ASCII characters');
  // The operator's answers are remembered in the account that they are about, under what no user of it can send.
  const key = caller === nobody ? `operator · ${text}` : text;
  return { ok: true, idempotency: { key, fingerprint: fingerprint() } };
}
