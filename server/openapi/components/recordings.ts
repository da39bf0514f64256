import { RecordingResult, RecordingResultWithoutRun } from '../../../shared/schema/answers.ts';
import { NewMapRecording, Recording, RecordingStep } from '../../../shared/schema/recording.ts';
import { answerSchema, requestSchema, type Component } from '../component.ts';
import { valueAddMeaning, workTypeMeaning } from './stages.ts';

const recordingFields = {
  recording_session_id:
    'The key that makes the upload idempotent, for ever. May come in the header `Idempotency-Key` instead. With neither, the server makes one and the call is not idempotent.',
  started_at: 'When the recording began, by the clock of the sender.',
  steps: 'What was observed. Steps are taken in the order of `order`.',
  digest: 'Proof that the steps arrived whole. When sent, it has to fit.',
};

export const recordingComponents: Record<string, Component> = {
  Recording: requestSchema(Recording, {
    description: 'A recording of an existing map.',
    fields: recordingFields,
  }),

  NewMapRecording: requestSchema(NewMapRecording, {
    description: 'A recording that becomes a map of its own.',
    fields: { name: 'The name of the new map, trimmed.', ...recordingFields },
  }),

  RecordingStep: requestSchema(RecordingStep, {
    description: 'A step as a device observed it. It becomes a stage whose cycle time is `duration_secs / 3600` hours.',
    fields: {
      stage_name: 'What people call the stage, trimmed.',
      order: 'Where the step stands. Unique in the recording; gaps do not matter.',
      duration_secs: 'How long it took, in seconds.',
      duration_estimated: 'True when the clock of the device could not vouch for the duration. Default: false.',
      work_type: workTypeMeaning,
      value_add: valueAddMeaning,
      notes: 'What the observer noted. Default: empty.',
      photos: 'References to photos. Default: none.',
    },
  }),

  RecordingResult: answerSchema(RecordingResult, {
    description: 'What a recording became.',
    fields: {
      map: 'The map as the recording left it.',
      run: 'The run that the recording as a whole became.',
      recording_session_id: 'The key of the upload: yours, or the one that the server made.',
    },
  }),

  RecordingResultWithoutRun: answerSchema(RecordingResultWithoutRun, {
    description: 'What a recording became whose run was deleted since. Nothing comes back to life.',
    fields: {
      map: 'The map as the recording left it, without its stages.',
      run: 'What is left of the run.',
      recording_session_id: 'The key of the upload.',
    },
  }),
};
