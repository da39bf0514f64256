import { expect, test } from 'vitest';
import { exportedRun } from './exported-runs.ts';
import { isStartAssumed, stepTimesOf } from '../../shared/export/step-times.ts';

test('[EXPORT-12] the steps of a run follow on each other from its start', () => {
  const { run } = exportedRun([{ duration_secs: 1.5 }, { duration_secs: 0.0004 }, { duration_secs: 60 }]);
  expect(stepTimesOf(run)).toEqual([
    { startedAt: '2026-07-01T08:00:00.000Z', endedAt: '2026-07-01T08:00:01.500Z' },
    { startedAt: '2026-07-01T08:00:01.500Z', endedAt: '2026-07-01T08:00:01.500Z' },
    { startedAt: '2026-07-01T08:00:01.500Z', endedAt: '2026-07-01T08:01:01.500Z' },
  ]);
  expect(isStartAssumed(run)).toBe(false);
});

test('[EXPORT-12] a run without a start ended when it arrived', () => {
  const { run } = exportedRun([{ duration_secs: 60 }, { duration_secs: 30 }], { started_at: null });
  const times = stepTimesOf(run);
  expect(times[0]!.startedAt).toBe('2026-07-01T08:58:30.000Z');
  expect(times[1]!.endedAt).toBe(run.created_at);
  expect(isStartAssumed(run)).toBe(true);
});

test('[EXPORT-12] times stay within the years of four digits', () => {
  const steps = Array.from({ length: 100 }, () => ({ duration_secs: 31_536_000 }));
  const late = stepTimesOf(exportedRun(steps, { started_at: '9999-01-01T00:00:00.000Z' }).run);
  expect(late.at(-1)!.endedAt).toBe('9999-12-31T23:59:59.999Z');
  const early = stepTimesOf(exportedRun(steps, { started_at: null, created_at: '0050-01-01T00:00:00.000Z' }).run);
  expect(early[0]!.startedAt).toBe('0001-01-01T00:00:00.000Z');
});
