import { Type, type Static } from 'typebox';
import {
  Closed,
  Described,
  EmptyOrVisibleText,
  Instant,
  IntegerId,
  Name,
  Nullable,
  RecordingSessionId,
  Text,
  Uuid,
  VisibleText,
} from './fields.ts';
import {
  stepDurationSecsMax,
  exclusionReasonLengthMax,
  nameLengthMax,
  notesLengthMax,
  photoReferenceLengthMax,
  photosPerStepMax,
  runsPerCompareMax,
  tagLengthMax,
  tagsPerRunMax,
} from './limits.ts';
import { PageSchema } from './page.ts';
import { StoredValueAdd, StoredWorkType, Position } from './stage.ts';
import { statisticsFields, studyFields } from './study.ts';

export const DurationSecs = Described(
  Type.Number({
    minimum: 0,
    maximum: stepDurationSecsMax,
    expected: `a number of seconds from 0 to ${stepDurationSecsMax}`,
  }),
  'The duration of the step, in seconds.',
);
export const Notes = Text(notesLengthMax);
export const Photos = Type.Array(Text(photoReferenceLengthMax), {
  maxItems: photosPerStepMax,
  expected: `up to ${photosPerStepMax} photo references`,
});

/** A step of a run. `order` is its position, 1..n without gaps. */
export const RunStep = Closed(
  {
    stage_name: Described(Name, 'The name of the stage.'),
    order: Described(Position, 'The position in the run: 1, 2, 3... without gaps.'),
    duration_secs: DurationSecs,
    duration_estimated: Described(Type.Boolean(), 'True if the device could not measure the duration reliably.'),
    work_type: StoredWorkType,
    value_add: StoredValueAdd,
    notes: Described(Notes, 'What the observer noted; may be empty.'),
    photos: Described(Photos, 'References to photos.'),
  },
  { title: 'RunStep', description: 'A step of a run, as it was recorded or corrected.' },
);
export type RunStep = Static<typeof RunStep>;

const Secs = Type.Number({ minimum: 0 });

const RunName = Text(nameLengthMax);
const RunNameInput = EmptyOrVisibleText(nameLengthMax);
const RunTags = Type.Array(VisibleText(tagLengthMax), {
  maxItems: tagsPerRunMax,
  uniqueItems: true,
  expected: `up to ${tagsPerRunMax} different tags`,
});
const Exclusion = Closed({
  reason: Described(VisibleText(exclusionReasonLengthMax), 'Why it does not count.'),
});

const NullableExclusion = Type.Union([Exclusion, Type.Null()], { expected: 'null, or an object with a reason' });

/** The body of `PATCH /runs/{run_id}`. */
export const RunPatch = Closed(
  {
    name: Described(Type.Optional(RunNameInput), 'What people call the run; empty for none.'),
    tags: Described(Type.Optional(RunTags), 'All tags of the run.'),
    note: Described(Type.Optional(Notes), 'A note about the run; empty for none.'),
    excluded: Described(Type.Optional(NullableExclusion), 'Why it should not count; null lets it count again.'),
  },
  { title: 'RunPatch', description: 'The fields of a run to change. Absent fields stay as they are.' },
);
export type RunPatch = Static<typeof RunPatch>;

const runFields = {
  id: Described(IntegerId, 'Stands for `{run_id}` in paths. Unique in its account and never used again.'),
  map_id: Described(Uuid, 'The map of the run.'),
  number: Described(Type.Integer({ minimum: 1 }), 'Counts the runs of the map: 1, 2, 3... and is never reused.'),
  recording_session_id: Described(RecordingSessionId, 'The recording session of the run.'),
  device_id: Described(Nullable(Uuid), 'The paired device that uploaded it; null for an API key.'),
  started_at: Described(Nullable(Instant), 'When the recording began; null when it did not say.'),
  device_started_at: Described(
    Type.Optional(Instant),
    'When it began by the clock of the device; only where that clock was wrong, and `started_at` is corrected.',
  ),
  created_at: Described(Instant, 'When the server received the run.'),
  version: Described(
    Type.Integer({ minimum: 0 }),
    "The account's version at which it was written. The ETag is made of it.",
  ),
  total_time_secs: Described(Secs, 'The durations of all steps together, in seconds.'),
  value_add_time_secs: Described(Secs, 'The durations of the `valuable` steps together, in seconds.'),
  pce: Described(
    Nullable(Type.Number({ minimum: 0, maximum: 1 })),
    'Process cycle efficiency: value-add time ÷ total time, from 0 to 1; null when the total is 0.',
  ),
  step_count: Described(Type.Integer({ minimum: 0 }), 'How many steps the run has.'),
  name: Described(Type.Optional(RunName), 'What people call the run. Left out or empty: nothing but its number.'),
  tags: Described(
    Type.Optional(RunTags),
    'The tags of the run, such as a shift or a product. Absent if there are none.',
  ),
  note: Described(Type.Optional(Notes), 'A note about the run. Absent or empty if there is none.'),
  excluded: Described(
    Type.Optional(NullableExclusion),
    'Why it should not count in a study. It still counts in a comparison that names it. Left out or null: it counts.',
  ),
  revision: Described(
    Type.Optional(Type.Integer({ minimum: 2 })),
    'One more than the corrections of its steps: 2 after the first. Left out: the steps are as recorded.',
  ),
};

/** A run without its steps, as lists return it. */
export const RunRecord = Closed(runFields, {
  title: 'Run',
  description: 'A run as lists carry it: without its steps.',
});
export type RunRecord = Static<typeof RunRecord>;

export const RunPage = PageSchema(RunRecord, {
  title: 'RunPage',
  description: 'A page of runs, newest first.',
  data: 'The runs of this page.',
});

/** A run with its steps: one document that is stored and synced. */
export const RunDoc = Closed(
  {
    ...runFields,
    steps: Described(Type.Array(RunStep), 'All steps in their order.'),
    recorded_steps: Described(
      Type.Optional(Type.Array(RunStep)),
      'The steps as they were recorded. Left out while nobody has corrected them.',
    ),
  },
  { title: 'RunWithSteps', description: 'A run with its steps.' },
);
export type RunDoc = Static<typeof RunDoc>;

export const DeletedRun = Closed(
  {
    id: Described(IntegerId, 'The id that it had.'),
    map_id: Described(Uuid, 'The map that it belonged to.'),
    number: Described(runFields.number, 'The number that it had.'),
    deleted: Described(Type.Literal(true), 'Always true.'),
  },
  { title: 'DeletedRun', description: 'The ids and the number of a deleted run.' },
);

/** The body of `POST /runs/compare`. */
export const CompareRequest = Closed(
  {
    run_ids: Described(
      Type.Array(IntegerId, {
        minItems: 1,
        maxItems: runsPerCompareMax,
        uniqueItems: true,
        expected: `1 to ${runsPerCompareMax} distinct run ids`,
      }),
      'Runs of the account, also of several maps.',
    ),
    ...studyFields,
  },
  { title: 'CompareRequest', description: 'The runs to compare.' },
);
export type CompareRequest = Static<typeof CompareRequest>;

const RunFigure = Closed(
  { run_id: Described(IntegerId, 'The run.'), secs: Described(Secs, 'Its time, in seconds.') },
  { title: 'RunFigure', description: 'What one run spent on a stage.' },
);

export const StageFigures = Closed(
  {
    stage_name: Described(Name, 'The name that the stage has on its map now, otherwise the name as it first appears.'),
    runs: Described(Type.Integer({ minimum: 1 }), 'In how many of the runs the stage occurs.'),
    min_secs: Described(Secs, 'The shortest time, in seconds.'),
    max_secs: Described(Secs, 'The longest time, in seconds.'),
    avg_secs: Described(Secs, 'The mean, in seconds.'),
    median_secs: Described(Secs, 'The median, in seconds; of an even count, the mean of the middle two.'),
    per_run: Described(Type.Array(RunFigure), 'The time of each run that has the stage.'),
    ...statisticsFields,
  },
  {
    title: 'StageFigures',
    description:
      'One stage over several runs. Names match when they are the same but for case, white space around them and Unicode composition, and an earlier name of a stage matches its present one; steps of one run with the same name are added up first. A run without the stage is left out of its figures.',
  },
);
export type StageFigures = Static<typeof StageFigures>;

export const TotalTimeFigures = Closed(
  {
    runs: Described(Type.Integer({ minimum: 1 }), 'How many runs there are.'),
    min_secs: Described(Secs, 'The shortest total, in seconds.'),
    max_secs: Described(Secs, 'The longest total, in seconds.'),
    avg_secs: Described(Secs, 'The mean, in seconds.'),
    median_secs: Described(Secs, 'The median, in seconds.'),
    ...statisticsFields,
  },
  { title: 'TotalFigures', description: 'The figures of the total times of all runs.' },
);
export type TotalTimeFigures = Static<typeof TotalTimeFigures>;

export const ComparedRun = Closed(
  {
    id: runFields.id,
    map_id: runFields.map_id,
    number: runFields.number,
    total_time_secs: runFields.total_time_secs,
    pce: runFields.pce,
  },
  { title: 'ComparedRun', description: 'A run of a comparison.' },
);

export const Comparison = Closed(
  {
    runs: Described(Type.Array(ComparedRun), 'The runs, in the order in which they were asked for.'),
    stages: Described(
      Type.Array(StageFigures),
      'One row a stage name, in order of first appearance, the oldest run first.',
    ),
    totals: Described(TotalTimeFigures, 'The same figures over the total times of the runs.'),
  },
  { title: 'Comparison', description: 'Figures of each stage over several runs.' },
);
export type Comparison = Static<typeof Comparison>;
