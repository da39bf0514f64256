/**
 * Returns the duration and the start of a step in a file. If the file lacks one of the two, computes it from the other
 * fields.
 */
import type { ColumnName } from './columns.ts';
import type { ImportErrorInfo } from './error-list.ts';

interface StepTimes {
  started_at: string | undefined;
  ended_at: string | undefined;
}

type StepDuration =
  | { ok: true; secs: number; started_at: string | undefined }
  | { ok: false; column: ColumnName; error: ImportErrorInfo };

export function durationOf(given_secs: number | undefined, { started_at, ended_at }: StepTimes): StepDuration {
  const between_secs =
    started_at === undefined || ended_at === undefined
      ? undefined
      : (Date.parse(ended_at) - Date.parse(started_at)) / msPerSec;
  if (between_secs !== undefined && between_secs < 0) {
    return { ok: false, column: 'ended_at', error: { code: 'end_before_start' } };
  }
  const secs = given_secs ?? between_secs;
  if (secs === undefined) {
    return { ok: false, column: 'duration_secs', error: { code: 'duration_required' } };
  }
  if (between_secs !== undefined && Math.abs(secs - between_secs) > toleranceSecs) {
    const error = { code: 'duration_contradicts_times', params: { secs: between_secs } } as const;
    return { ok: false, column: 'duration_secs', error };
  }
  return { ok: true, secs, started_at: started_at ?? startFromEnd(ended_at, secs) };
}

const msPerSec = 1000;
/**
 * How much a duration may differ from end minus start. Tools round times to a second, and may round durations in
 * another way.
 */
const toleranceSecs = 1;

/** Returns the start; undefined if the step has no end, or if the start would be before the earliest possible `Date`. */
function startFromEnd(ended_at: string | undefined, secs: number): string | undefined {
  const ms = Date.parse(ended_at ?? '') - secs * msPerSec;
  return Number.isNaN(new Date(ms).getTime()) ? undefined : new Date(ms).toISOString();
}
