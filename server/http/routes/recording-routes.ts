import { assert } from '../../../shared/domain/assert.ts';
import { invalid } from '../../../shared/domain/outcome.ts';
import { NewMapRecording, Recording } from '../../../shared/schema/recording.ts';
import { completeMutation } from '../../mutate/parse-mutation.ts';
import { recordingAnswer } from './recording-reply.ts';
import { restUnit } from '../../mutate/rest-unit.ts';
import type { MutationArgs } from '../../../shared/schema/mutation.ts';
import { idempotencyKeyHeader, wrongIdempotencyKey } from './idempotency-key.ts';
import { mapIdIn } from './path-ids.ts';
import { route, type ApiRequest, type Route } from '../route.ts';
import type { Services } from '../services.ts';
import type { RefusedReply, Reply } from '../reply.ts';

export function recordingRoutes(services: Services): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/v1/maps/:id/recording',
      access: ['record', 'write'],
      body: Recording,
      async handle(request) {
        const map = mapIdIn(request.params);
        if (!map.ok) return map;
        return recordingReply(services, request, 'upload_recording', { ...request.body, map_id: map.id });
      },
    }),

    route({
      method: 'POST',
      path: '/api/v1/recording/new',
      access: ['record', 'write'],
      body: NewMapRecording,
      handle: (request) => recordingReply(services, request, 'record_new_map', request.body),
    }),
  ];
}

/** The session id is the key, and for ever: its answer comes from the run that the session made. */
async function recordingReply<Name extends 'upload_recording' | 'record_new_map'>(
  { queue, world }: Services,
  { caller, header }: ApiRequest,
  name: Name,
  args: MutationArgs[Name],
): Promise<Reply> {
  const session = sessionId(args.recording_session_id, idempotencyKeyHeader(header));
  if (!session.ok) return session;
  const completed = completeMutation(name, { ...args, ...session.field }, world);
  if (!completed.ok) return completed;
  const { mutation } = completed;
  return queue.write(
    caller,
    restUnit({
      mutation,
      deviceId: caller.deviceId,
      render({ run, subject }) {
        assert(run, 'a recording has its run');
        return recordingAnswer(run, { replayed: subject.replayed === true });
      },
    }),
  );
}

/** From the field or the header; they may not contradict each other. */
function sessionId(
  field: string | undefined,
  header: string | undefined,
): { ok: true; field: { recording_session_id?: string } } | RefusedReply {
  if (header === undefined) return { ok: true, field: {} };
  if (!/^[A-Za-z0-9._:-]{1,128}$/.test(header)) {
    return wrongIdempotencyKey('must be 1 to 128 characters of A-Z a-z 0-9 . _ : -');
  }
  if (field === undefined || field === header) return { ok: true, field: { recording_session_id: header } };
  return invalid([{ path: '/recording_session_id', message: 'differs from the header Idempotency-Key' }]);
}
