/**
 * Makes a unit idempotent: a repeated request with the same idempotency key gets the first reply and changes nothing.
 */
import { replayedHeader, successReply, type JsonResponse, type RefusedRequest, type RestReply } from '../core/reply.ts';
import type { ReplySeal } from '../core/seal.ts';
import type { UnitOfWork } from './unit.ts';
import { emptyReadSet } from './working-set/read-set.ts';
import type { WorkingSet } from './working-set/working-set.ts';

export interface IdempotencyKey {
  key: string;
  /** A hash of the request. A request with the same key and another fingerprint is refused. */
  fingerprint: string;
  /** Encrypts the stored body of a response that contains a secret. */
  seal?: ReplySeal;
}

interface IdempotentRequest {
  idempotency: IdempotencyKey | undefined;
  unit: UnitOfWork<RestReply>;
  /** Renders the reply to a repeated request if the first request changed nothing. The store then keeps no body. */
  renderCurrent?: (set: WorkingSet) => JsonResponse;
}

/**
 * Stores the reply to the first request under its idempotency key. A refusal is not stored, so the client may try
 * again.
 */
export function idempotentUnit({ idempotency, unit, renderCurrent }: IdempotentRequest): UnitOfWork<RestReply> {
  if (!idempotency) return unit;
  const { key, fingerprint, seal = noSeal } = idempotency;
  return {
    ...unit,
    readSet: { ...unit.readSet, idempotencyKeys: [key] },
    run(set, now) {
      const earlier = replyWithoutRunning(idempotency, { set, now, renderCurrent });
      if (earlier) return earlier;
      const reply = unit.run(set, now);
      if (reply.ok) {
        const isOmitted = renderCurrent && reply.changedNothing;
        const body = isOmitted ? omittedBody : seal.encrypt(reply.response.body);
        set.idempotencyKeys.remember({ key, fingerprint, ...reply.response, body, created_at: now });
      }
      return reply;
    },
  };
}

/** `answered` has the reply if the request must not run, since it is a repeat or its idempotency key is refused. */
export type IdempotencyKeyState = { kind: 'unused' } | { kind: 'answered'; reply: RestReply };

/**
 * Looks up the idempotency key before work that takes several units. The last of these units, an `idempotentUnit`,
 * stores the reply.
 */
export const idempotencyKeyStateUnit = (idempotency: IdempotencyKey): UnitOfWork<IdempotencyKeyState> => ({
  readSet: { ...emptyReadSet(), idempotencyKeys: [idempotency.key] },
  run(set, now) {
    const reply = replyWithoutRunning(idempotency, { set, now });
    return reply ? { kind: 'answered', reply } : { kind: 'unused' };
  },
});

/** Returns the reply if the request must not run, since it is a repeat or its idempotency key is refused. */
function replyWithoutRunning(
  { key, fingerprint, seal = noSeal }: IdempotencyKey,
  { set, now, renderCurrent }: { set: WorkingSet; now: string; renderCurrent?: IdempotentRequest['renderCurrent'] },
): RestReply | undefined {
  const first = set.idempotencyKeys.get(key);
  if (first && first.fingerprint !== fingerprint) return idempotencyKeyMismatchRefusal(key);
  if (first) {
    const isRendered = renderCurrent && isOmittedBody(first.body);
    const { status, headers, body } = isRendered ? renderCurrent(set) : { ...first, body: seal.decrypt(first.body) };
    return successReply(status, body, { ...headers, ...replayedHeader });
  }
  const capacity = set.idempotencyKeys.checkCapacity(now);
  return capacity.ok ? undefined : tooManyIdempotencyKeysRefusal(capacity.retryAfterSecs);
}

/** Stored in place of a body that `renderCurrent` can render again. */
const omittedBody = { not_kept: true };

const isOmittedBody = (body: unknown): boolean => (body as Partial<typeof omittedBody> | null)?.not_kept === true;

const noSeal: ReplySeal = { encrypt: (body) => body, decrypt: (stored) => stored };

function idempotencyKeyMismatchRefusal(key: string): RefusedRequest {
  const detail = `The idempotency key ${key} was used with another request.`;
  return { ok: false, error: { code: 'idempotency_key_mismatch', detail } };
}

function tooManyIdempotencyKeysRefusal(retry_after_secs: number): RefusedRequest {
  const detail =
    'The account has as many idempotency keys of the last 72 hours as are remembered; nothing was changed.';
  return { ok: false, error: { code: 'idempotency_limit_reached', detail, members: { retry_after_secs } } };
}
