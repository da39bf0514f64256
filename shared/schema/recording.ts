import { Type, type Static } from 'typebox';
import { Closed, Described, NameInput, Instant, RecordingSessionId } from './fields.ts';
import { stepsPerRecordingMax } from './limits.ts';
import { FullMap, MapRecord } from './map.ts';
import { DeletedRun, DurationSecs, Notes, Photos, RunDoc } from './run.ts';
import { ValueAddInput, WorkTypeInput } from './stage.ts';

/** The position of the step among the other steps: any number that no other step has. */
const StepOrder = Type.Integer({ minimum: -(2 ** 53 - 1), maximum: 2 ** 53 - 1, expected: 'an integer' });

/** A step as a device uploads it. */
export const RecordingStep = Closed(
  {
    stage_name: Described(NameInput, 'What people call the stage, trimmed.'),
    order: Described(StepOrder, 'Where the step stands. Unique in the recording; gaps do not matter.'),
    duration_secs: DurationSecs,
    duration_estimated: Described(
      Type.Optional(Type.Boolean({ expected: 'true or false' })),
      'True when the device could not measure the duration reliably. Default: false.',
    ),
    work_type: Type.Optional(WorkTypeInput),
    value_add: Type.Optional(ValueAddInput),
    interruption: Described(
      Type.Optional(Type.Boolean({ expected: 'true or false' })),
      'True when the step is no stage of the process, such as an interruption, or the time between two cycles. The run keeps the step, and the map gets no stage from it. If the steps before and after it have one name, they count as one stage. Default: false.',
    ),
    notes: Described(Type.Optional(Notes), 'What the observer noted. Default: empty.'),
    photos: Described(Type.Optional(Photos), 'References to photos. Default: none.'),
  },
  {
    title: 'RecordingStep',
    description: 'A step as a device observed it. It becomes a stage whose cycle time is `duration_secs / 3600` hours.',
  },
);
export type RecordingStep = Static<typeof RecordingStep>;

/**
 * SHA-256 in lower-case hex over the RFC 8785 (JCS) text of `steps` as sent; proves that the recording arrived whole.
 */
const RecordingDigest = Type.String({
  pattern: '^[0-9a-f]{64}$',
  expected: 'the SHA-256, in lower-case hex, of the RFC 8785 form of steps',
});

export const StagesMode = Type.Enum(['replace', 'keep', 'merge'], {
  title: 'StagesMode',
  description:
    'What a recording does to the stages of its map. `replace`: its steps become all stages. `keep`: the stages stay, and the run alone is added. `merge`: a step updates the cycle time of the stage with its name, any other step becomes a new stage after the stage of the previous step, and stages without a step stay as they are.',
  expected: 'replace, keep or merge',
});
export type StagesMode = Static<typeof StagesMode>;

export const recordingFields = {
  recording_session_id: Described(
    Type.Optional(RecordingSessionId),
    'The key that makes the upload idempotent, for ever. May come in the header `Idempotency-Key` instead. With neither, the server makes one and the call is not idempotent.',
  ),
  started_at: Described(Type.Optional(Instant), 'When the recording began, by the clock of the sender.'),
  steps: Described(
    Type.Array(RecordingStep, {
      minItems: 1,
      maxItems: stepsPerRecordingMax,
      expected: `1 to ${stepsPerRecordingMax} steps`,
    }),
    'What was observed. Steps are taken in the order of `order`.',
  ),
  stages: Described(Type.Optional(StagesMode), 'Default: `replace`.'),
  digest: Described(
    Type.Optional(RecordingDigest),
    'Proof that the steps arrived whole. If present, it must match `steps`.',
  ),
};

/** The body of `POST /maps/{id}/recording`. */
export const RecordingBody = Closed(recordingFields, {
  title: 'Recording',
  description: 'A recording of an existing map.',
});
export type RecordingBody = Static<typeof RecordingBody>;

/** The body of `POST /runs/{run_id}/correct`. */
export const RunCorrection = Closed(
  {
    steps: Described(
      recordingFields.steps,
      'All steps as they should be. They replace those of the run; `interruption` has no effect here.',
    ),
  },
  { title: 'RunCorrection', description: 'The steps of a run, put right.' },
);
export type RunCorrection = Static<typeof RunCorrection>;

export const newMapRecordingFields = {
  name: Described(NameInput, 'The name of the new map, trimmed.'),
  ...recordingFields,
};

/** The body of `POST /recording/new`. */
export const NewMapRecording = Closed(newMapRecordingFields, {
  title: 'NewMapRecording',
  description: 'A recording that becomes a map of its own.',
});
export type NewMapRecording = Static<typeof NewMapRecording>;

export const RecordingResult = Closed(
  {
    map: Described(FullMap, 'The map as the recording left it.'),
    run: Described(RunDoc, 'The run that the recording as a whole became.'),
    recording_session_id: Described(
      RecordingSessionId,
      'The key of the upload: yours, or the one that the server made.',
    ),
  },
  { title: 'RecordingResult', description: 'The map and the run that a recording changed and made.' },
);

/** The response to a repeated upload of a recording whose run was deleted after the first upload. */
export const RecordingResultWithoutRun = Closed(
  {
    map: Described(MapRecord, 'The map as the recording left it, without its stages.'),
    run: Described(
      Closed({ ...DeletedRun.properties, recording_session_id: RecordingSessionId }),
      'The ids and the number of the deleted run.',
    ),
    recording_session_id: Described(RecordingSessionId, 'The key of the upload.'),
  },
  {
    title: 'RecordingResultWithoutRun',
    description: 'The response to a repeated recording whose run was deleted since. The run is not restored.',
  },
);
