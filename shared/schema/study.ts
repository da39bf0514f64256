import { Type, type Static } from 'typebox';
import { Closed, Described, IntegerId, Nullable } from './fields.ts';
import { runsPerCompareMax } from './limits.ts';

const Secs = Type.Number({ minimum: 0 });
const Count = Type.Integer({ minimum: 0 });
const RunIds = Type.Array(IntegerId);

const Rating = Closed(
  {
    run_id: Described(IntegerId, 'One of `run_ids`.'),
    rating: Described(
      Type.Number({ minimum: 0.3, maximum: 2, expected: 'a number from 0.3 to 2' }),
      'The observed pace against the normal pace: 1 is normal, 1.1 is a tenth faster.',
    ),
  },
  { title: 'Rating', description: 'The pace of one run, as the observer judged it.' },
);

/** The fields of a comparison request that change how the statistics are computed. */
export const studyFields = {
  confidence: Described(
    Type.Optional(Type.Enum([0.9, 0.95, 0.99], { expected: '0.9, 0.95 or 0.99' })),
    'The confidence of `ci` and `runs_needed`; 0.95 when left out.',
  ),
  precision: Described(
    Type.Optional(Type.Number({ minimum: 0.01, maximum: 0.5, expected: 'a number from 0.01 to 0.5' })),
    'How near the mean has to be, as a share of it, for `runs_needed`; 0.05 when left out.',
  ),
  allowance: Described(
    Type.Optional(Type.Number({ minimum: 0, maximum: 0.9, expected: 'a number from 0 to 0.9' })),
    'The share of time for personal needs, fatigue and delays.',
  ),
  allowance_basis: Described(
    Type.Optional(Type.Enum(['day', 'job'], { expected: 'day or job' })),
    'Whether `allowance` is a share of the working day, `day`, or of the time of the job, `job`; `day` when left out.',
  ),
  ratings: Described(
    Type.Optional(
      Type.Array(Rating, { maxItems: runsPerCompareMax, expected: `up to ${runsPerCompareMax} ratings of runs` }),
    ),
    'The pace of runs; a run without a rating counts as 1.',
  ),
  takt_secs: Described(
    Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 31_536_000,
        expected: 'a number of seconds above 0, up to 31536000',
      }),
    ),
    'The takt time: the working time divided by the demand, in seconds.',
  ),
};
export const StudyRequest = Closed(studyFields);
export type StudyRequest = Static<typeof StudyRequest>;

const ConfidenceInterval = Closed(
  {
    low_secs: Described(Type.Number(), 'The lower end of the interval.'),
    high_secs: Described(Type.Number(), 'The upper end of the interval.'),
  },
  { title: 'ConfidenceInterval', description: 'The confidence interval of the mean: mean ± t(n − 1) · s / √n.' },
);

export const ControlChart = Closed(
  {
    center_secs: Described(Secs, 'The mean.'),
    lower_secs: Described(Secs, 'The lower limit, not below 0.'),
    upper_secs: Described(Secs, 'The upper limit.'),
    beyond_run_ids: Described(RunIds, 'The runs beyond the limits.'),
  },
  {
    title: 'ControlChart',
    description: 'Individuals and moving range, in the order in which the runs began: mean ± 2.66 · mean range.',
  },
);
export type ControlChart = Static<typeof ControlChart>;

const StandardTime = Closed(
  {
    normal_secs: Described(Secs, 'The mean of time × rating.'),
    standard_secs: Described(Secs, 'Normal time with the allowance.'),
  },
  { title: 'StandardTime', description: 'Normal time, and standard time with its allowance.' },
);

/** The statistics of the runs' times, for one stage or in total. */
export const statisticsFields = {
  sd_secs: Described(Nullable(Secs), 'The sample standard deviation (n − 1); null below two runs.'),
  cv: Described(
    Nullable(Secs),
    'The coefficient of variation, standard deviation ÷ mean, without a unit; null where it has none.',
  ),
  p10_secs: Described(Secs, 'The 10th percentile, linear between ranks (type 7).'),
  p25_secs: Described(Secs, 'The 25th percentile.'),
  p75_secs: Described(Secs, 'The 75th percentile.'),
  p90_secs: Described(Secs, 'The 90th percentile.'),
  ci: Described(Nullable(ConfidenceInterval), 'The confidence interval of the mean; null below two runs.'),
  runs_needed: Described(
    Nullable(Type.Integer({ minimum: 2, maximum: 10_000 })),
    'The number of runs like these that makes the mean as precise as asked, at most 10,000; null for a single run, when all are alike, or when the mean is 0.',
  ),
  estimated_runs: Described(Count, 'In how many of the runs a duration is estimated.'),
  outlier_run_ids: Described(
    RunIds,
    'The runs beyond 1.5 interquartile ranges, from five runs on; no figure omits them.',
  ),
  chart: Described(Nullable(ControlChart), 'The control limits, from eight runs on.'),
  standard: Described(Nullable(StandardTime), 'Null unless the request has `ratings` or `allowance`.'),
  over_takt: Described(
    Nullable(Type.Boolean()),
    'Whether the standard time, or else the mean, exceeds `takt_secs`; null without it.',
  ),
};
export const Statistics = Closed(statisticsFields);
export type Statistics = Static<typeof Statistics>;
