/** Computes when the steps of a run began and ended. A run stores only its start and how long each step took. */
import type { RunDoc } from '../schema/run.ts';

export interface StepTimes {
  startedAt: string;
  endedAt: string;
}

type RunWithTimes = Pick<RunDoc, 'started_at' | 'created_at' | 'total_time_secs' | 'steps'>;

/** Returns true if the run has no recorded start. An export then assumes that the run ended when it arrived. */
export const isStartAssumed = ({ started_at }: Pick<RunDoc, 'started_at'>): boolean => started_at === null;

/** Returns the times of the steps. A step begins when the previous step ended. */
export function stepTimesOf(run: RunWithTimes): StepTimes[] {
  const startMs = startMsOf(run);
  let secs = 0;
  return run.steps.map(({ duration_secs }) => {
    const startedAt = timeText(startMs + secs * msPerSec);
    secs += duration_secs;
    return { startedAt, endedAt: timeText(startMs + secs * msPerSec) };
  });
}

export const runStartOf = (run: RunWithTimes): string => timeText(startMsOf(run));

const msPerSec = 1000;
/** The latest time in an export, since readers of the formats accept only years of four digits. */
const timeMsMax = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const startMsOf = ({ started_at, created_at, total_time_secs }: RunWithTimes): number =>
  started_at === null ? Date.parse(created_at) - total_time_secs * msPerSec : Date.parse(started_at);

const timeText = (ms: number): string =>
  new Date(Math.min(Math.max(Math.round(ms), timeMsMin), timeMsMax)).toISOString();
/** The earliest time in an export: the start of year 1, since XML Schema 1.0 has no year 0. */
const timeMsMin = Date.parse('0001-01-01T00:00:00.000Z');
