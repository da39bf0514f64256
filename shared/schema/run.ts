import { Type, type Static } from 'typebox';
import { Closed, Instant, IntegerId, Name, Nullable, RecordingSessionId, Text, Uuid, WorkType } from './fields.ts';
import {
  durationSecsMax,
  notesLengthMax,
  photoReferenceLengthMax,
  photosPerStepMax,
  runsPerCompareMax,
} from './limits.ts';
import { Order, ValueAdd } from './stage.ts';

export const DurationSecs = Type.Number({
  minimum: 0,
  maximum: durationSecsMax,
  description: `a number of seconds from 0 to ${durationSecsMax}`,
});
export const Notes = Text(notesLengthMax);
export const Photos = Type.Array(Text(photoReferenceLengthMax), {
  maxItems: photosPerStepMax,
  description: `up to ${photosPerStepMax} photo references`,
});

/** A step of a run. `order` is its position, 1..n without gaps. */
export const RunStep = Closed({
  stage_name: Name,
  order: Order,
  duration_secs: DurationSecs,
  /** The device's clock could not vouch for the duration. */
  duration_estimated: Type.Boolean(),
  work_type: WorkType,
  value_add: ValueAdd,
  notes: Notes,
  photos: Photos,
});
export type RunStep = Static<typeof RunStep>;

const Secs = Type.Number({ minimum: 0 });

const runFields = {
  id: IntegerId,
  map_id: Uuid,
  number: Type.Integer({ minimum: 1 }),
  recording_session_id: RecordingSessionId,
  device_id: Nullable(Uuid),
  started_at: Nullable(Instant),
  /** By the clock of the device; only where that was wrong, and `started_at` is corrected. */
  device_started_at: Type.Optional(Instant),
  created_at: Instant,
  version: Type.Integer({ minimum: 0 }),
  total_time_secs: Secs,
  value_add_time_secs: Secs,
  pce: Nullable(Type.Number({ minimum: 0, maximum: 1 })),
  step_count: Type.Integer({ minimum: 0 }),
};

/** A run as lists carry it. */
export const RunRecord = Closed(runFields);
export type RunRecord = Static<typeof RunRecord>;

/** A run with its steps, one document: what is stored, synced and answered. It never changes. */
export const RunDoc = Closed({ ...runFields, steps: Type.Array(RunStep) });
export type RunDoc = Static<typeof RunDoc>;

/** The body of `POST /runs/compare`. */
export const CompareRequest = Closed({
  run_ids: Type.Array(IntegerId, {
    minItems: 1,
    maxItems: runsPerCompareMax,
    uniqueItems: true,
    description: `1 to ${runsPerCompareMax} distinct run ids`,
  }),
});
export type CompareRequest = Static<typeof CompareRequest>;

/** What one run spent on a stage. */
export const RunFigure = Closed({ run_id: IntegerId, secs: Secs });

export const StageFigures = Closed({
  stage_name: Name,
  /** In how many of the runs the stage occurs. */
  runs: Type.Integer({ minimum: 1 }),
  min_secs: Secs,
  max_secs: Secs,
  avg_secs: Secs,
  median_secs: Secs,
  per_run: Type.Array(RunFigure),
});
export type StageFigures = Static<typeof StageFigures>;

export const ComparedRun = Closed({
  id: IntegerId,
  map_id: Uuid,
  number: runFields.number,
  total_time_secs: Secs,
  pce: runFields.pce,
});

export const Comparison = Closed({
  runs: Type.Array(ComparedRun),
  stages: Type.Array(StageFigures),
});
export type Comparison = Static<typeof Comparison>;
