import { Type } from 'typebox';
import { assert } from '../../../shared/domain/assert.ts';
import { validationRefusal } from '../../../shared/domain/outcome.ts';
import {
  NewMapRecording,
  RecordingBody,
  RecordingResult,
  RecordingResultWithoutRun,
} from '../../../shared/schema/recording.ts';
import { RecordingSessionId } from '../../../shared/schema/fields.ts';
import { createValidator } from '../../core/validator.ts';
import { completeMutation } from '../../mutate/parse-mutation.ts';
import { responseFromRun } from './mutation/recording-response.ts';
import { restMutationUnit } from '../../mutate/rest-unit.ts';
import type { MutationArgs } from '../../../shared/schema/mutation.ts';
import { unquotedIdempotencyKey, wrongIdempotencyKeyRefusal } from './mutation/idempotency-key.ts';
import {
  firstRecordingSessionId,
  mergedRecordingSessionId,
  exampleOrderMapId,
  secondRecordingSessionId,
  examplePhotoId,
} from './example-ids.ts';
import { parseMapId } from './path-ids.ts';
import { route, type ApiRequest, type Route } from '../route.ts';
import type { Services } from '../services.ts';
import type { RefusedReply, Reply } from '../route-reply.ts';

const idempotencyNote =
  'The same session id with the same target and steps gives the first response again and changes nothing, at any later time and for simultaneous requests. A refused recording does not use up its session id.';

const resultSchema = Type.Union([RecordingResult, RecordingResultWithoutRun]);

export function recordingRoutes(services: Services): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/v1/maps/:id/recording',
      access: ['record', 'write'],
      body: RecordingBody,
      async handle(request) {
        const map = parseMapId(request.params);
        if (!map.ok) return map;
        return recordingReply(services, request, 'upload_recording', { ...request.body, map_id: map.id });
      },
      docs: {
        operationId: 'uploadRecording',
        tag: 'Recordings',
        summary: 'Upload a recording of a map',
        description: `The recording becomes the next run of the map. Its steps replace all stages of the map, unless \`stages\` says otherwise. ${idempotencyNote}`,
        response: { status: 200, description: 'The map and the run.', schema: resultSchema },
        codes: ['map_deleted', 'recording_session_mismatch'],
        idempotency: 'session',
        examples: {
          plain: {
            summary: 'A recording with notes',
            path: { id: exampleOrderMapId },
            body: {
              recording_session_id: firstRecordingSessionId,
              started_at: '2026-07-01T07:42:10.000Z',
              steps: [
                {
                  stage_name: 'Pick',
                  order: 1,
                  duration_secs: 1260,
                  work_type: 'valuable',
                  notes: 'Aisle 4 was blocked.',
                },
                { stage_name: 'Print the order', order: 2, duration_secs: 95.5, work_type: 'incidental' },
                { stage_name: 'Pack', order: 3, duration_secs: 640, work_type: 'valuable', photos: [examplePhotoId] },
              ],
            },
          },
          merge: {
            summary: 'A recording with `merge`: other stages and all wait times stay',
            path: { id: exampleOrderMapId },
            body: {
              recording_session_id: mergedRecordingSessionId,
              stages: 'merge',
              steps: [{ stage_name: 'Pack', order: 1, duration_secs: 600, work_type: 'valuable' }],
            },
          },
          header: {
            summary: 'The session id in the header',
            path: { id: exampleOrderMapId },
            headers: { 'Idempotency-Key': secondRecordingSessionId },
            body: {
              steps: [
                { stage_name: 'Pick', order: 1, duration_secs: 1030, work_type: 'valuable' },
                { stage_name: 'Print the order', order: 2, duration_secs: 102, work_type: 'incidental' },
                { stage_name: 'Pack', order: 3, duration_secs: 580, duration_estimated: true, work_type: 'valuable' },
              ],
            },
          },
        },
      },
    }),

    route({
      method: 'POST',
      path: '/api/v1/recording/new',
      access: ['record', 'write'],
      body: NewMapRecording,
      handle: (request) => recordingReply(services, request, 'record_new_map', request.body),
      docs: {
        operationId: 'recordNewMap',
        tag: 'Recordings',
        summary: 'Upload a recording as a new map',
        description: `Creates a map whose stages are the steps of the recording, and its first run. The cap of the free plan counts. ${idempotencyNote}`,
        response: { status: 201, description: 'The map and the run.', schema: resultSchema, headers: ['Location'] },
        codes: ['map_cap_reached', 'recording_session_mismatch'],
        idempotency: 'session',
        examples: {
          plain: {
            summary: 'A walk through the returns desk',
            body: {
              name: 'Returns',
              recording_session_id: 'walk-2026-07-01-returns',
              steps: [
                { stage_name: 'Open the parcel', order: 1, duration_secs: 80, work_type: 'incidental' },
                { stage_name: 'Inspect', order: 2, duration_secs: 240, work_type: 'valuable', notes: '' },
              ],
            },
          },
        },
      },
    }),
  ];
}

/**
 * Applies a recording, and ignores `If-Match`. The recording session id serves as an idempotency key that never
 * expires. No reply is stored for a repeated request, since its reply is built from the run of the first request.
 */
async function recordingReply<Name extends 'upload_recording' | 'record_new_map'>(
  { queue, world }: Services,
  { caller, header }: ApiRequest,
  name: Name,
  args: MutationArgs[Name],
): Promise<Reply> {
  const session = recordingSessionField(args.recording_session_id, unquotedIdempotencyKey(header));
  if (!session.ok) return session;
  const completed = completeMutation(name, { ...args, ...session.field }, world);
  if (!completed.ok) return completed;
  const { mutation } = completed;
  return queue.write(
    caller,
    restMutationUnit({
      mutation,
      deviceId: caller.deviceId,
      render({ run, affectedIds }) {
        assert(run, 'a recording has its run');
        return responseFromRun(run, { replayed: affectedIds.isRepeatedUpload === true });
      },
    }),
  );
}

const checkSessionId = createValidator(RecordingSessionId);

/**
 * The id of the recording session may be in the body, in the header `Idempotency-Key`, or in both. Returns the field to
 * add to the args, or a refusal if the two ids differ.
 */
function recordingSessionField(
  field: string | undefined,
  header: string | undefined,
): { ok: true; field: { recording_session_id?: string } } | RefusedReply {
  if (header === undefined) return { ok: true, field: {} };
  if (!checkSessionId(header).ok)
    return wrongIdempotencyKeyRefusal('must be 1 to 128 characters of A-Z a-z 0-9 . _ : -');
  if (field === undefined || field === header) return { ok: true, field: { recording_session_id: header } };
  return validationRefusal([{ path: '/recording_session_id', message: 'differs from the header Idempotency-Key' }]);
}
