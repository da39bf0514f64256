/** Applies the mutation of a REST request in one transaction, checks `If-Match`, and builds the reply. */
import type { MapDoc } from '../../shared/schema/map.ts';
import type { Mutation, MutationName } from '../../shared/schema/mutation.ts';
import type { JsonResponse, RefusedRequest, RestReply } from '../core/reply.ts';
import { etagOf, matchesIfMatch } from '../core/etag.ts';
import { idempotentUnit, type IdempotencyKey } from './idempotent-unit.ts';
import { recordingFingerprint } from './recording-fingerprint.ts';
import { readSetOf } from './read-set.ts';
import type { Effect, WorkingSet } from './working-set.ts';
import type { Unit } from './unit.ts';

interface RestRequest {
  mutation: Mutation;
  deviceId: string | null;
  /** The text of the header `If-Match`. */
  ifMatch?: string | undefined;
  /** undefined if the client sent no key, and for recordings: a repeated recording session gets its first run. */
  idempotency?: IdempotencyKey | undefined;
  /** Must be pure, since it may run again. `before` is the map before the mutation. */
  render(effect: Effect, before: MapDoc | undefined): JsonResponse;
}

export function restUnit({ mutation, deviceId, ifMatch, idempotency, render }: RestRequest): Unit<RestReply> {
  const fingerprint = recordingFingerprint(mutation);
  return idempotentUnit({
    idempotency,
    ...(mutation.name === 'reorder_stages'
      ? { renderCurrent: (set) => renderCurrentOrder(set, mutation.args.map_id, render) }
      : {}),
    unit: {
      readSet: readSetOf([mutation]),
      decide(set, now) {
        const before = mapBefore(set, mutation);
        const origin = { deviceId, fingerprint, now };
        const outcome = set.decide(mutation, origin);
        // A refusal, such as a deleted map, comes before a failed `If-Match` (RFC 9110, 13.2.1).
        if (!outcome.ok) return outcome;
        if (
          ifMatch !== undefined &&
          before &&
          checksIfMatch[mutation.name] &&
          !matchesIfMatch(ifMatch, etagOf(before))
        ) {
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

/** Recordings and deletions of runs ignore `If-Match`: they are about a run, which has only one version. */
const checksIfMatch: Record<MutationName, boolean> = {
  create_map: true,
  update_map: true,
  delete_map: true,
  restore_map: true,
  add_stage: true,
  update_stage: true,
  delete_stage: true,
  reorder_stages: true,
  upload_recording: false,
  record_new_map: false,
  delete_run: false,
};

/** Returns the map that the mutation changes, in its state before the mutation. */
function mapBefore(set: WorkingSet, { args }: Mutation): MapDoc | undefined {
  if ('map_id' in args) return set.map(args.map_id);
  const run = set.run(args.run_id);
  return run && set.map(run.map_id);
}

function renderCurrentOrder(set: WorkingSet, mapId: string, render: RestRequest['render']): JsonResponse {
  const map = set.map(mapId);
  return render({ ok: true, affectedIds: { mapId }, ...(map ? { map } : {}) }, map);
}

function preconditionFailed(map: MapDoc): RefusedRequest {
  const etag = etagOf(map);
  const detail = `The map is at ${etag} now; fetch it and decide again.`;
  return { ok: false, error: { code: 'precondition_failed', detail, members: { etag } } };
}
