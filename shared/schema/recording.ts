import { Type, type Static } from 'typebox';
import { Closed, GivenName, Instant, RecordingSessionId, WorkType } from './fields.ts';
import { stepsPerRecordingMax } from './limits.ts';
import { DurationSecs, Notes, Photos } from './run.ts';
import { ValueAdd } from './stage.ts';

/** Where the step stands among the others: any number that none of them has. */
const StepOrder = Type.Integer({ minimum: -(2 ** 53 - 1), maximum: 2 ** 53 - 1, description: 'an integer' });

/** A step as a device uploads it. */
export const RecordingStep = Closed({
  stage_name: GivenName,
  order: StepOrder,
  duration_secs: DurationSecs,
  duration_estimated: Type.Optional(Type.Boolean({ description: 'true or false' })),
  work_type: Type.Optional(WorkType),
  value_add: Type.Optional(ValueAdd),
  notes: Type.Optional(Notes),
  photos: Type.Optional(Photos),
});
export type RecordingStep = Static<typeof RecordingStep>;

/** SHA-256 in lower-case hex over the RFC 8785 (JCS) form of `steps` as sent: proof that the recording arrived whole. */
const RecordingDigest = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'the SHA-256, in lower-case hex, of the RFC 8785 form of steps',
});

export const recordingFields = {
  recording_session_id: Type.Optional(RecordingSessionId),
  started_at: Type.Optional(Instant),
  steps: Type.Array(RecordingStep, {
    minItems: 1,
    maxItems: stepsPerRecordingMax,
    description: `1 to ${stepsPerRecordingMax} steps`,
  }),
  digest: Type.Optional(RecordingDigest),
};

/** The body of `POST /maps/{id}/recording`. */
export const Recording = Closed(recordingFields);
export type Recording = Static<typeof Recording>;

/** The body of `POST /recording/new`. */
export const NewMapRecording = Closed({ name: GivenName, ...recordingFields });
export type NewMapRecording = Static<typeof NewMapRecording>;
