/** The steps of a draft and their times. Pure. */
import { workTypeOf } from '../../shared/domain/stages/work-type.ts';
import type { WorkType } from '../../shared/schema/fields.ts';
import { stepDurationSecsMax } from '../../shared/schema/limits.ts';
import type { RecordingStep } from '../../shared/schema/recording.ts';
import { isoTime, type Stamp } from '../core/clock.ts';
import { measure, type Duration, type Measurement } from './duration.ts';

/**
 * A part of a lap. A lap is the time between two taps that start or stop the clock. Edits divide measured laps among
 * the steps, so the steps always add up to the laps. Only the last lap is open, since its end is not known yet.
 */
export interface LapPart {
  lap: number;
  fromMs: number;
  /** null: the part ends with the lap. */
  toMs: number | null;
}

export interface StepFacts {
  stage_name: string;
  work_type: WorkType | null;
  notes: string;
  isInterruption: boolean;
  /** The ids of the step's photos, each once. */
  photos: readonly string[];
  /** The parts of laps that belong to the step; never empty. */
  parts: readonly LapPart[];
}

export interface DraftStep extends StepFacts {
  /** The step as the public API shows it. Computed only once, since each tap shows all steps again. */
  recorded: RecordedStep;
}

/** A step of a recording as the public API shows it. */
export interface RecordedStep {
  stage_name: string;
  work_type: WorkType;
  notes: string;
  started_at: string;
  /** The seconds of the step without pauses; null for the current step. */
  duration_secs: number | null;
  /** True for a step that is no stage of the process, such as an interruption. */
  interruption: boolean;
  /** The ids of the step's photos; absent if the step has none. */
  photos?: string[];
}

export function makeDraftStep(facts: StepFacts, laps: readonly Stamp[], isCurrent: boolean): DraftStep {
  const { stage_name, work_type, notes, isInterruption, photos, parts } = facts;
  const recorded = {
    stage_name,
    work_type: workTypeOf(work_type ? { work_type } : {}),
    notes,
    started_at: isoTime(stepStartMsOf(parts, laps)),
    duration_secs: isCurrent ? null : durationOf(parts, lapMeasurerUntil(laps, null)).duration_secs,
    interruption: isInterruption,
    ...photosFieldOf(photos),
  };
  return { stage_name, work_type, notes, isInterruption, photos, parts, recorded };
}

const photosFieldOf = (photos: readonly string[]): { photos?: string[] } =>
  photos.length > 0 ? { photos: [...photos] } : {};

function stepStartMsOf([first]: readonly LapPart[], laps: readonly Stamp[]): number {
  const lap = first && laps[first.lap];
  return lap ? lap.wall_ms + first.fromMs : 0;
}

/** Returns the length of the lap with this index. A lap without an end is infinite. */
export type MeasureLap = (lap: number) => Measurement;

export const lapMeasurerUntil =
  (laps: readonly Stamp[], end: Stamp | null): MeasureLap =>
  (lap) => {
    const [from, to] = [laps[lap], laps[lap + 1] ?? end];
    if (!from) return { ms: 0, isEstimated: true };
    return to ? measure(from, to) : { ms: Infinity, isEstimated: false };
  };

/** Returns the length of a part within its lap. A clock that was set back can make the lap shorter than the part. */
function partMsOf({ lap, fromMs, toMs }: LapPart, measureLap: MeasureLap): number {
  const { ms } = measureLap(lap);
  return Math.min(toMs ?? ms, ms) - Math.min(fromMs, ms);
}

export const partsMsOf = (parts: readonly LapPart[], measureLap: MeasureLap): number =>
  parts.reduce((sum, part) => sum + partMsOf(part, measureLap), 0);

function durationOf(parts: readonly LapPart[], measureLap: MeasureLap): Duration {
  return {
    duration_secs: Math.min(partsMsOf(parts, measureLap) / 1000, stepDurationSecsMax),
    duration_estimated: parts.some(({ lap }) => measureLap(lap).isEstimated),
  };
}

/** Divides the parts into two lists: the first `ms` milliseconds, and the rest. */
export function splitParts(
  parts: readonly LapPart[],
  ms: number,
  measureLap: MeasureLap,
): { first: LapPart[]; second: LapPart[] } {
  const [first, second]: [LapPart[], LapPart[]] = [[], []];
  let leftMs = ms;
  for (const part of parts) {
    const length = partMsOf(part, measureLap);
    if (leftMs <= 0) second.push(part);
    else if (length <= leftMs) first.push(part);
    else {
      const borderMs = part.fromMs + leftMs;
      first.push({ ...part, toMs: borderMs });
      second.push({ ...part, fromMs: borderMs });
    }
    leftMs -= length;
  }
  return { first, second };
}

/** Concatenates parts. Two consecutive parts of one lap become one part if the second begins where the first ends. */
export function joinParts(parts: readonly LapPart[]): LapPart[] {
  const joined: LapPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last && last.lap === part.lap && last.toMs === part.fromMs) joined.splice(-1, 1, { ...last, toMs: part.toMs });
    else joined.push(part);
  }
  return joined;
}

/**
 * Returns the steps to upload if the recording ends at `end`. Without an end, the current step has the maximum
 * duration.
 */
export function makeUploadSteps(
  steps: readonly DraftStep[],
  laps: readonly Stamp[],
  end: Stamp | null,
): RecordingStep[] {
  const measureLap = lapMeasurerUntil(laps, end);
  return steps.map(({ stage_name, work_type, notes, isInterruption, photos, parts }, index) => ({
    stage_name,
    order: index + 1,
    ...durationOf(parts, measureLap),
    ...(work_type ? { work_type } : {}),
    notes,
    ...photosFieldOf(photos),
    ...(isInterruption ? { interruption: true as const } : {}),
  }));
}
