/**
 * Runs the mutation of a REST request in one transaction: checks `If-Match` and the idempotency key, and builds the
 * reply.
 */
import type { MapDoc } from '../../shared/schema/map.ts';
import type { Mutation } from '../../shared/schema/mutation.ts';
import { successReply, replayedHeader, type JsonResponse, type RefusedRequest, type RestReply } from '../core/reply.ts';
import { etagOf, ifMatchHolds } from '../core/etag.ts';
import { recordingFingerprint } from './recording-fingerprint.ts';
import { isRecording } from './parse-mutation.ts';
import type { Seal } from '../core/seal.ts';
import { readSetOf } from './read-set.ts';
import type { Effect, WorkingSet } from './working-set.ts';
import type { Unit } from './unit.ts';

export interface IdempotencyKey {
  key: string;
  /** The hash of the request; a different request with the same key is refused. */
  fingerprint: string;
  /** Encrypts an answer that contains a secret before it is stored. */
  seal?: Seal;
}

interface RestRequest {
  mutation: Mutation;
  deviceId: string | null;
  /** The header `If-Match` as sent. */
  ifMatch?: string | undefined;
  /** Absent for recordings: their recording session id acts as a key that never expires. */
  idempotency?: IdempotencyKey | undefined;
  /** Builds the response. Must be pure, since it may run again. */
  render(effect: Effect, before: MapDoc | undefined): JsonResponse;
}

export function restUnit({ mutation, deviceId, ifMatch, idempotency, render }: RestRequest): Unit<RestReply> {
  const fingerprint = recordingFingerprint(mutation);
  return idempotentUnit({
    idempotency,
    ...(mutation.name === 'reorder_stages'
      ? { currentResponse: (set) => currentOrder(set, mutation.args.map_id, render) }
      : {}),
    unit: {
      readSet: readSetOf([mutation]),
      decide(set, now) {
        const before = mapBefore(set, mutation);
        const origin = { deviceId, fingerprint, now };
        const outcome = set.decide(mutation, origin);
        if (!outcome.ok) return outcome;
        // Tests `If-Match`, but only if the request could succeed without it (RFC 9110, 13.2.1): a deleted map or a
        // missing stage gets its own refusal first. Recordings and deleted runs have no version to compare.
        if (ifMatch !== undefined && before && isConditional(mutation) && !ifMatchHolds(ifMatch, etagOf(before))) {
          return preconditionFailed(before);
        }
        const effect = set.put(outcome, mutation, origin);
        const changedNothing = before !== undefined && effect.map?.version === before.version;
        return { ok: true, response: render(effect, before), changedNothing };
      },
      outcomes: (reply) => [{ name: mutation.name, code: reply.ok ? 'applied' : reply.error.code }],
    },
  });
}

/** Repeats the first answer for a known key and remembers the answer for a new key. A refusal is not remembered. */
export function idempotentUnit(given: {
  idempotency: IdempotencyKey | undefined;
  unit: Unit<RestReply>;
  /**
   * Rebuilds the answer to a request that changed nothing from the current record. Such an answer may be large, so it
   * is not stored.
   */
  currentResponse?: (set: WorkingSet) => JsonResponse;
}): Unit<RestReply> {
  const { idempotency, unit, currentResponse } = given;
  if (!idempotency) return unit;
  const { key, fingerprint, seal = unsealed } = idempotency;
  return {
    ...unit,
    readSet: { ...unit.readSet, idempotencyKeys: [key] },
    decide(set, now) {
      const known = set.idempotencyKeys.get(key);
      if (known && known.fingerprint !== fingerprint) return keyMismatch(key);
      if (known) {
        if (currentResponse && isNotStored(known.body)) {
          const { status, headers, body } = currentResponse(set);
          return successReply(status, body, { ...headers, ...replayedHeader });
        }
        const { status, headers, body } = known;
        return successReply(status, seal.open(body), { ...headers, ...replayedHeader });
      }
      const capacity = set.idempotencyKeys.checkCapacity(now);
      if (!capacity.ok) return tooManyKeys(capacity.retryAfterSecs);
      const decided = unit.decide(set, now);
      if (decided.ok) {
        const isStored = !(currentResponse && decided.changedNothing);
        const body = isStored ? seal.close(decided.response.body) : notStored;
        set.idempotencyKeys.remember({ key, fingerprint, ...decided.response, body, created_at: now });
      }
      return decided;
    },
  };
}

/** Stored instead of an answer that can be rebuilt. */
const notStored = { not_kept: true };

const isNotStored = (body: unknown): boolean => (body as Partial<typeof notStored> | null)?.not_kept === true;

function currentOrder(set: WorkingSet, mapId: string, render: RestRequest['render']): JsonResponse {
  const map = set.map(mapId);
  return render({ ok: true, affectedIds: { mapId }, ...(map ? { map } : {}) }, map);
}

const unsealed: Seal = { close: (body) => body, open: (stored) => stored };

/** Returns the map that the mutation changes, in its state before the mutation. */
function mapBefore(set: WorkingSet, { args }: Mutation): MapDoc | undefined {
  if ('map_id' in args) return set.map(args.map_id);
  const run = set.run(args.run_id);
  return run && set.map(run.map_id);
}

/** For a recording its session decides, and a run that is deleted has no other version. */
const isConditional = ({ name }: Mutation): boolean => !isRecording(name) && name !== 'delete_run';

function preconditionFailed(map: MapDoc): RefusedRequest {
  const etag = etagOf(map);
  const detail = `The map is at ${etag} now; fetch it and decide again.`;
  return { ok: false, error: { code: 'precondition_failed', detail, members: { etag } } };
}

function keyMismatch(key: string): RefusedRequest {
  const detail = `The idempotency key ${key} was used with another request.`;
  return { ok: false, error: { code: 'idempotency_key_mismatch', detail } };
}

function tooManyKeys(retry_after_secs: number): RefusedRequest {
  const detail =
    'The account has as many idempotency keys of the last 72 hours as are remembered; nothing was changed.';
  return { ok: false, error: { code: 'idempotency_limit_reached', detail, members: { retry_after_secs } } };
}
