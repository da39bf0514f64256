/** A request that changes devices or keys, or hands out a secret. */
import { assert } from '../../shared/domain/assert.ts';
import { requestFingerprint, sha256 } from '../mutate/fingerprint.ts';
import type { IdempotencyKey } from '../mutate/rest-unit.ts';
import { sealWith } from '../mutate/seal.ts';
import type { World } from '../mutate/world.ts';
import { bearerToken } from './authenticate.ts';
import { idempotencyKey } from './mutation-reply.ts';
import type { ApiRequest, RefusedReply } from './route.ts';

type Keyed = { ok: true; idempotency: IdempotencyKey | undefined } | RefusedReply;

/** Of a request that is answered with nothing secret. `route` names it, with the ids in its path. */
export function openlyKeyed({ header, body }: ApiRequest, route: string[]): Keyed {
  return idempotencyKey(header, () => requestFingerprint(route, body));
}

/**
 * Of a request that is answered with a secret: the remembered answer is sealed with the caller's token. Under another
 * token the key is that of another request.
 */
export function secretlyKeyed(request: ApiRequest, route: string[], world: World): Keyed {
  const { header, body } = request;
  const token = bearerToken(header('Authorization'));
  assert(token !== undefined, 'whoever is let in to a secret has shown a token');
  const keyed = idempotencyKey(header, () => requestFingerprint([...route, sha256(token)], body));
  if (!keyed.ok || !keyed.idempotency) return keyed;
  return { ok: true, idempotency: { ...keyed.idempotency, seal: sealWith(token, world) } };
}
