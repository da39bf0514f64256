import type { StageFigures } from '../../../client.ts';
import { expect, test } from 'vitest';
import { compareRuns, type RunToCompare } from '../../../../shared/domain/study/compare.ts';
import { parseTimeStudySettings } from './time-study-settings.ts';
import { longestRunIdOf, mostVariableStageOf, runsNeededOf } from './findings.ts';

const runs = (...times: [load: number, press: number][]): RunToCompare[] =>
  times.map(([load, press], index) => ({
    id: index + 1,
    map_id: 'map',
    number: index + 1,
    total_time_secs: load + press,
    pce: null,
    version: index + 1,
    started_at: null,
    created_at: `2026-11-20T06:0${index}:00.000Z`,
    steps: [
      { stage_name: 'Load', duration_secs: load, duration_estimated: false },
      { stage_name: 'Press', duration_secs: press, duration_estimated: false },
    ],
  }));
const stagesOf = (...times: [number, number][]): StageFigures[] => compareRuns(runs(...times)).stages;

test('[APP-158] the stage whose standard deviation is greatest varies most, with the run that took longest', () => {
  const most = mostVariableStageOf(stagesOf([10, 100], [20, 130], [11, 100]));
  expect(most?.stage_name).toBe('Press');
  expect(most && longestRunIdOf(most)).toBe(2);
  expect(mostVariableStageOf(stagesOf([10, 100], [10, 100]))).toBeUndefined();
  expect(mostVariableStageOf(stagesOf([10, 100]))).toBeUndefined();
});

test('[APP-159] the needed runs are those still missing', () => {
  expect(runsNeededOf({ runs: 1, runs_needed: null })).toEqual({ is: 'one_run' });
  expect(runsNeededOf({ runs: 2, runs_needed: null })).toEqual({ is: 'alike' });
  expect(runsNeededOf({ runs: 4, runs_needed: 7 })).toEqual({ is: 'more', runs: 3 });
  expect(runsNeededOf({ runs: 7, runs_needed: 7 })).toEqual({ is: 'enough' });
});

test('[APP-471] at the limit of the engine more runs are needed than it counts', () => {
  expect(runsNeededOf({ runs: 11, runs_needed: 9_999 })).toEqual({ is: 'more', runs: 9_988 });
  expect(runsNeededOf({ runs: 11, runs_needed: 10_000 })).toEqual({ is: 'over', runs: 10_000 });
});

test('[APP-471] a distance and a confidence are part of the study, and others than the engine takes are not', () => {
  expect(parseTimeStudySettings({ precision: '10 %', confidence: '99' }, []).study).toEqual({
    precision: 0.1,
    confidence: 0.99,
  });
  const wrong = parseTimeStudySettings({ precision: '0.5', confidence: '80' }, []);
  expect(wrong).toEqual({ study: {}, invalid: new Set(['precision']) });
});

test('[APP-161] [APP-162] texts become a study, and texts that cannot be read are named and left out', () => {
  expect(parseTimeStudySettings({}, [1, 2])).toEqual({ study: {}, invalid: new Set() });
  expect(
    parseTimeStudySettings({ takt: '1:30', allowance: '15 %', basis: 'job', 'rating-2': '110' }, [1, 2]).study,
  ).toEqual({
    takt_secs: 90,
    allowance: 0.15,
    allowance_basis: 'job',
    ratings: [{ run_id: 2, rating: 1.1 }],
  });
  const wrong = parseTimeStudySettings({ takt: '90', allowance: '95', 'rating-1': 'fast', 'rating-3': '5' }, [1, 2]);
  expect(wrong).toEqual({ study: {}, invalid: new Set(['takt', 'allowance', 'rating-1']) });
});
