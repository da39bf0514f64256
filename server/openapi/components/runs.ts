import { DeletedRun, Page } from '../../../shared/schema/answers.ts';
import {
  ComparedRun,
  CompareRequest,
  Comparison,
  RunDoc,
  RunFigure,
  RunRecord,
  RunStep,
  StageFigures,
} from '../../../shared/schema/run.ts';
import { answerSchema, requestSchema, type Component } from '../component.ts';

const pce = 'Process cycle efficiency: value-add time ÷ total time, from 0 to 1; null when the total is 0.';

const runFields = {
  id: 'Stands for `{run_id}` in paths. Unique in its account and never used again.',
  map_id: 'The map that was observed.',
  number: 'Counts the runs of the map: 1, 2, 3... and is never reused.',
  recording_session_id: 'The recording that it came from.',
  device_id: 'The paired device that uploaded it; null for an API key.',
  started_at: 'When the recording began; null when it did not say.',
  device_started_at:
    'When it began by the clock of the device; only where that clock was wrong, and `started_at` is corrected.',
  created_at: 'When the server took it in.',
  version: "The account's version at which it was written. The ETag is made of it.",
  total_time_secs: 'The durations of all steps together, in seconds.',
  value_add_time_secs: 'The durations of the `valuable` steps together, in seconds.',
  pce,
  step_count: 'How many steps it has.',
};

export const runComponents: Record<string, Component> = {
  Run: answerSchema(RunRecord, { description: 'A run as lists carry it: without its steps.', fields: runFields }),

  RunWithSteps: answerSchema(RunDoc, {
    description: 'A run with its steps. It never changes.',
    fields: { ...runFields, steps: 'All steps in their order.' },
  }),

  RunStep: answerSchema(RunStep, {
    description: 'What was observed of one step.',
    fields: {
      stage_name: 'The stage that it was.',
      order: 'Its position in the run: 1, 2, 3... without gaps.',
      duration_secs: 'How long it took, in seconds.',
      duration_estimated: 'True when the clock of the device could not vouch for the duration.',
      work_type: 'How the work counts.',
      value_add: 'Deprecated since 2026-04: whether `work_type` is `valuable`.',
      notes: 'What the observer noted; may be empty.',
      photos: 'References to photos.',
    },
  }),

  RunPage: answerSchema(Page(RunRecord), {
    description: 'A page of runs, newest first.',
    fields: { data: 'The runs of this page.', next_cursor: 'Where the next page begins; null on the last one.' },
  }),

  DeletedRun: answerSchema(DeletedRun, {
    description: 'What is left of a deleted run.',
    fields: {
      id: 'The id that it had.',
      map_id: 'The map that it belonged to.',
      number: 'The number that it had.',
      deleted: 'Always true.',
    },
  }),

  CompareRequest: requestSchema(CompareRequest, {
    description: 'The runs to compare.',
    fields: { run_ids: 'Runs of the account, also of several maps.' },
  }),

  Comparison: answerSchema(Comparison, {
    description: 'Figures of each stage over several runs.',
    fields: {
      runs: 'The runs, in the order in which they were asked for.',
      stages: 'One row a stage name, in order of first appearance, the oldest run first.',
    },
  }),

  ComparedRun: answerSchema(ComparedRun, {
    description: 'A run of a comparison.',
    fields: {
      id: runFields.id,
      map_id: runFields.map_id,
      number: runFields.number,
      total_time_secs: runFields.total_time_secs,
      pce,
    },
  }),

  StageFigures: answerSchema(StageFigures, {
    description:
      'One stage over several runs. Names match when they are the same but for case and white space around them; steps of one run with the same name are added up first. A run without the stage is left out of its figures.',
    fields: {
      stage_name: 'The name as it first appears.',
      runs: 'In how many of the runs the stage occurs.',
      min_secs: 'The shortest time, in seconds.',
      max_secs: 'The longest time, in seconds.',
      avg_secs: 'The mean, in seconds.',
      median_secs: 'The median, in seconds; of an even count, the mean of the middle two.',
      per_run: 'The time of each run that has the stage.',
    },
  }),

  RunFigure: answerSchema(RunFigure, {
    description: 'What one run spent on a stage.',
    fields: { run_id: 'The run.', secs: 'Its time, in seconds.' },
  }),
};
