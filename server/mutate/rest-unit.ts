/** Applies the mutation of a REST request in one transaction, checks `If-Match`, and builds the reply. */
import type { MapDoc } from '../../shared/schema/map.ts';
import type { Mutation, MutationName } from '../../shared/schema/mutation.ts';
import type { RunDoc } from '../../shared/schema/run.ts';
import type { JsonResponse, RefusedRequest, RestReply } from '../core/reply.ts';
import { etagOf, etagMatchesIfMatch } from '../core/etag.ts';
import { idempotentUnit, type IdempotencyKey } from './idempotent-unit.ts';
import { recordingFingerprint } from './recording-fingerprint.ts';
import { readSetOf } from './working-set/read-set.ts';
import type { AffectedRecords, WorkingSet } from './working-set/working-set.ts';
import type { UnitOfWork } from './unit.ts';

export interface RestRequest {
  mutation: Mutation;
  deviceId: string | null;
  /** The text of the header `If-Match`. */
  ifMatch?: string | undefined;
  /**
   * undefined if the request has no header `Idempotency-Key`. Also undefined for a recording, since its recording
   * session makes it idempotent.
   */
  idempotency?: IdempotencyKey | undefined;
  /** Must be pure, since the transaction may run `render` again. `before` is the map before the mutation. */
  render(affected: AffectedRecords, before: MapDoc | undefined): JsonResponse;
}

export function restMutationUnit({
  mutation,
  deviceId,
  ifMatch,
  idempotency,
  render,
}: RestRequest): UnitOfWork<RestReply> {
  const fingerprint = recordingFingerprint(mutation);
  return idempotentUnit({
    idempotency,
    ...(mutation.name === 'reorder_stages' || mutation.name === 'replace_stages'
      ? { renderCurrent: (set) => renderCurrentStageOrder(set, mutation.args.map_id, render) }
      : {}),
    unit: {
      readSet: readSetOf([mutation]),
      run(set, now) {
        const before = mapBefore(set, mutation);
        const conditionalRecord = recordForIfMatch(set, mutation);
        const origin = { deviceId, fingerprint, now };
        const outcome = set.outcomeOf(mutation, origin);
        // A request that would be refused without `If-Match` gets that refusal, not a 412 (RFC 9110, 13.2.1).
        if (!outcome.ok) return outcome;
        if (ifMatch !== undefined && conditionalRecord && !etagMatchesIfMatch(etagOf(conditionalRecord), ifMatch)) {
          return ifMatchRefusal(conditionalRecord);
        }
        const affected = set.putOutcome(outcome, mutation, origin);
        // Only mutations with `renderCurrent` use `changedNothing`. Such a mutation changes a map, so `before` is set.
        const changedNothing = before !== undefined && affected.map?.version === before.version;
        return { ok: true, response: render(affected, before), changedNothing };
      },
      countedMutations: (reply) => [{ name: mutation.name, code: reply.ok ? 'applied' : reply.error.code }],
    },
  });
}

/**
 * Returns the record whose ETag must match `If-Match`. Returns undefined for the creation of a map, for a recording and
 * for the deletion of a run, since such requests ignore `If-Match`.
 */
function recordForIfMatch(set: WorkingSet, { name, args }: Mutation): MapDoc | RunDoc | undefined {
  switch (ifMatchKind[name]) {
    case 'map':
      return 'map_id' in args ? set.map(args.map_id) : undefined;
    case 'run':
      return 'run_id' in args && args.run_id !== undefined ? set.runWithSteps(args.run_id) : undefined;
    case 'none':
      return undefined;
  }
}

const ifMatchKind: Record<MutationName, 'map' | 'run' | 'none'> = {
  create_map: 'none',
  update_map: 'map',
  delete_map: 'map',
  restore_map: 'map',
  add_stage: 'map',
  update_stage: 'map',
  delete_stage: 'map',
  reorder_stages: 'map',
  replace_stages: 'map',
  upload_recording: 'none',
  record_new_map: 'none',
  update_run: 'run',
  correct_run: 'run',
  delete_run: 'none',
};

/** Returns the map that the mutation names, in its state before the mutation. */
function mapBefore(set: WorkingSet, { args }: Mutation): MapDoc | undefined {
  return 'map_id' in args ? set.map(args.map_id) : undefined;
}

function renderCurrentStageOrder(set: WorkingSet, mapId: string, render: RestRequest['render']): JsonResponse {
  const map = set.map(mapId);
  return render({ ok: true, affectedIds: { mapId }, ...(map ? { map } : {}) }, map);
}

function ifMatchRefusal(record: MapDoc | RunDoc): RefusedRequest {
  const etag = etagOf(record);
  const detail = `The ${'map_id' in record ? 'run' : 'map'} is at ${etag} now; fetch it and decide again.`;
  return { ok: false, error: { code: 'precondition_failed', detail, members: { etag } } };
}
