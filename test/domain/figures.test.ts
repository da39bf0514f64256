import fc from 'fast-check';
import { expect, test } from 'vitest';
import { analyticsOf } from '../../shared/domain/analytics.ts';
import { compareRuns } from '../../shared/domain/study/compare.ts';
import { runOf, toRunSteps } from '../../shared/domain/run.ts';
import { statisticsOf, studyOptionsOf } from '../../shared/domain/study/statistics.ts';
import type { MapDoc } from '../../shared/schema/map.ts';
import type { RunDoc } from '../../shared/schema/run.ts';
import { anySteps } from './fields.ts';
import { applyEvents } from './apply-events.ts';
import { checkProperty } from './check-property.ts';
import { anyEvents } from './mutations.ts';
import { AccountModel } from './account-model.ts';

/** Runs that arrived in the order of their versions; version 0 marks a pending run, which is the newest. */
const anyRuns: fc.Arbitrary<RunDoc[]> = fc
  .uniqueArray(fc.record({ steps: anySteps, version: fc.nat(50) }), {
    minLength: 1,
    maxLength: 8,
    selector: ({ version }) => version,
  })
  .map((drawn) =>
    drawn.map(({ steps, version }, index) => {
      const createdAt = new Date(Date.UTC(2026, 3, 1) + version * 1000).toISOString();
      return { ...runOf({ ...runHeader(index + 1), createdAt }, toRunSteps(steps)), version };
    }),
  );

test('[COMPARE-1] a comparison equals a naive reckoning', () => {
  checkProperty(
    fc.property(anyRuns, (runs) => {
      const { stages, runs: compared } = compareRuns(runs);
      expect(compared.map(({ id }) => id)).toStrictEqual(runs.map(({ id }) => id));
      const naive = naiveComparison(runs);
      expect(stages.map(({ stage_name }) => stage_name)).toStrictEqual(naive.map(({ stage_name }) => stage_name));
      for (const [index, stage] of stages.entries()) {
        const { secs } = naive[index]!;
        const sorted = secs.toSorted((a, b) => a - b);
        expect(stage.per_run.map((one) => one.secs)).toStrictEqual(secs);
        expect(stage.runs).toBe(secs.length);
        expect(stage.min_secs).toBe(Math.min(...secs));
        expect(stage.max_secs).toBe(Math.max(...secs));
        expect(isClose(stage.avg_secs, secs.reduce((a, b) => a + b, 0) / secs.length)).toBe(true);
        // If the count is odd, both are the middle value, else they are the two middle values.
        const [lower, upper] = [sorted[(sorted.length - 1) >> 1]!, sorted[sorted.length >> 1]!];
        expect(stage.median_secs).toBe(sorted.length % 2 ? lower : (lower + upper) / 2);
      }
    }),
  );
});

test('[STAT-17] the statistics of scaled times are scaled', () => {
  const anyTimes = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 60 });
  checkProperty(
    fc.property(anyTimes, fc.integer({ min: 1, max: 8 }), (times, exponent) => {
      const [factor, study] = [2 ** exponent, studyOptionsOf({ allowance: 0.1 })];
      const of = (secs: number[]) =>
        statisticsOf(
          secs.map((each, index) => ({ run_id: index + 1, secs: each, is_estimated: false })),
          study,
        );
      const [small, large] = [of(times), of(times.map((secs) => secs * factor))];
      for (const same of ['cv', 'runs_needed', 'outlier_run_ids', 'estimated_runs'] as const) {
        expect(large[same]).toEqual(small[same]);
      }
      expect(large.sd_secs).toBe(small.sd_secs === null ? null : small.sd_secs * factor);
      expect(large.p90_secs).toBe(small.p90_secs * factor);
      expect(large.chart?.upper_secs).toBe(small.chart ? small.chart.upper_secs * factor : undefined);
      expect(large.standard?.normal_secs).toBe((small.standard?.normal_secs ?? 0) * factor);
    }),
  );
});

test('[STAT-18] [STAT-20] the order of the request changes no figure, and a study no older figure', () => {
  checkProperty(
    fc.property(anyRuns, fc.nat(), (runs, turn) => {
      const turned = [...runs.slice(turn % runs.length), ...runs.slice(0, turn % runs.length)];
      const study = { confidence: 0.99 as const, allowance: 0.2, takt_secs: 60 };
      const [plain, studied] = [compareRuns(runs), compareRuns(turned, { request: study })];
      const figures = ({ stages, totals }: typeof plain) =>
        [...stages, totals].map(({ runs: count, min_secs, max_secs, avg_secs, median_secs, sd_secs, chart }) => [
          count,
          min_secs,
          max_secs,
          avg_secs,
          median_secs,
          sd_secs,
          chart,
        ]);
      expect(figures(studied)).toStrictEqual(figures(plain));
      const times = studied.stages.map(({ per_run }) => per_run.toSorted((a, b) => a.run_id - b.run_id));
      expect(times).toStrictEqual(plain.stages.map(({ per_run }) => per_run.toSorted((a, b) => a.run_id - b.run_id)));
    }),
  );
});

test('[ANALYTICS-1] the analytics of a map equal a naive reckoning', () => {
  checkProperty(
    fc.property(anyEvents(), (events) => {
      for (const map of applyEvents(new AccountModel(), events).maps.values()) {
        const found = analyticsOf(map);
        const naive = naiveAnalytics(map);
        expect(found.stage_count).toBe(map.stages.length);
        expect(isClose(found.total_cycle_time_hrs, naive.cycle)).toBe(true);
        expect(isClose(found.total_wait_time_hrs, naive.wait)).toBe(true);
        expect(isClose(found.lead_time_hrs, naive.cycle + naive.wait)).toBe(true);
        expect(isClose(found.value_add_time_hrs, naive.valueAdd)).toBe(true);
        expect(found.run_count).toBe(map.run_count);
        expect(found.last_run_at).toBe(map.last_run_at);
        const shares = Object.values(found.by_work_type);
        expect(shares.reduce((stages, share) => stages + share.stages, 0)).toBe(map.stages.length);
        for (const [workType, share] of Object.entries(found.by_work_type)) {
          const own = naiveAnalytics({ stages: map.stages.filter((stage) => stage.work_type === workType) });
          expect(isClose(share.cycle_time_hrs, own.cycle) && isClose(share.wait_time_hrs, own.wait)).toBe(true);
        }
      }
    }),
  );
});

test('[ANALYTICS-2] PCE is a fraction from 0 to 1 of value-add in all time, and null when no time passed', () => {
  checkProperty(
    fc.property(anyEvents(), (events) => {
      const model = applyEvents(new AccountModel(), events);
      for (const map of model.maps.values()) {
        const { pce, lead_time_hrs, value_add_time_hrs } = analyticsOf(map);
        expectFraction(pce, value_add_time_hrs, lead_time_hrs);
      }
      for (const { doc } of model.runs.values()) {
        if (doc) expectFraction(doc.pce, doc.value_add_time_secs, doc.total_time_secs);
      }
    }),
  );
});

function expectFraction(pce: number | null, valueAddTime: number, time: number): void {
  if (time === 0) {
    expect(pce).toBeNull();
    return;
  }
  expect(pce).toBe(valueAddTime / time);
  expect(pce).toBeGreaterThanOrEqual(0);
  expect(pce).toBeLessThanOrEqual(1);
}

/** A slow reference that is hard to get wrong: one pass over all runs for each stage. */
function naiveComparison(runs: RunDoc[]): { stage_name: string; secs: number[] }[] {
  const oldestFirst = [
    ...runs.filter((r) => r.version > 0).toSorted((a, b) => a.version - b.version),
    ...runs.filter((r) => r.version === 0),
  ];
  const names = oldestFirst.flatMap(({ steps }) => steps.map(({ stage_name }) => stage_name));
  const same = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase();
  const firsts = names.filter((name, index) => names.findIndex((other) => same(other, name)) === index);
  return firsts.map((stage_name) => {
    const ofRun = runs.map(({ steps }) => steps.filter((step) => same(step.stage_name, stage_name)));
    const secs = ofRun
      .filter((steps) => steps.length > 0)
      .map((steps) => steps.reduce((a, s) => a + s.duration_secs, 0));
    return { stage_name, secs };
  });
}

function naiveAnalytics({ stages }: Pick<MapDoc, 'stages'>): { cycle: number; wait: number; valueAdd: number } {
  let [cycle, wait, valueAdd] = [0, 0, 0];
  for (const stage of stages) {
    cycle += stage.cycle_time_hrs;
    wait += stage.wait_time_hrs;
    if (stage.work_type === 'valuable') valueAdd += stage.cycle_time_hrs;
  }
  return { cycle, wait, valueAdd };
}

/** Ignores the last digits, which depend on the order in which floating-point numbers are added. */
function isClose(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-12 * Math.max(1, Math.abs(a), Math.abs(b));
}

function runHeader(id: number) {
  return {
    id,
    mapId: '00000000-0000-7000-8000-000000000001',
    number: id,
    recordingSessionId: `session-${id}`,
    deviceId: null,
    start: { started_at: null },
    createdAt: '2026-04-01T09:30:00.000Z',
  };
}
