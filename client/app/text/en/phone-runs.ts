/** The texts of runs and of their comparison, which a phone loads on demand. */
import { countText, listText, numberText, percentText } from '../format.ts';
import { texts } from './texts.ts';

export const runsTexts = {
  title: 'Runs',
  run: (nth: number) => `Run ${numberText(nth)}`,
  named: (nth: number, name: string | undefined) =>
    name ? `Run ${numberText(nth)}: ${name}` : `Run ${numberText(nth)}`,
  excluded: (reason: string) => `Excluded: ${reason}`,
  steps: (steps: number) => countText(steps, 'step', 'steps'),
  pce: (percent: string) => `PCE ${percent}`,
  custody: { device: texts.maps.pending, server: 'Safe on the server' },
  emptyTitle: 'No runs yet',
  emptyText: 'A run is one pass through the process, timed step by step. Record two or more to compare their times.',
  toMap: 'Go to the map',
  compare: 'Compare runs',
  selected: (selected: number, of: number) => `${numberText(selected)} of ${numberText(of)} selected`,
  selectAll: (newest: number, of: number) => (newest < of ? `Select latest ${numberText(newest)}` : 'Select all'),
  clear: 'Clear selection',
  tooFew: 'Select 2 or more',
  compareSelected: (runs: number) => `Compare ${numberText(runs)} runs`,
};

/** The texts about runs that only the server has. */
export const serverOnlyRunsTexts = {
  older: (runs: number) => `${countText(runs, 'older run is', 'older runs are')} on the server.`,
  more: (runs: number) => `${countText(runs, 'more run is', 'more runs are')} on the server.`,
  loadOlder: 'Load older runs',
  loadMore: 'Load more runs',
  loading: 'Loading…',
  offline: "You're offline. They can be loaded once the server can be reached.",
  leftOut: (runs: number) =>
    `These times are of the runs on this device. ${countText(runs, 'other run is', 'other runs are')} on the server.`,
  runNotHere: 'Run not on this device',
  loadingCompared: (runs: number) =>
    `Loading ${countText(runs, 'selected run', 'selected runs')}. Until then the figures leave ${runs === 1 ? 'it' : 'them'} out.`,
  comparedNotHere: (runs: number) =>
    `${countText(runs, 'selected run is', 'selected runs are')} not on this device. The figures leave ${runs === 1 ? 'it' : 'them'} out.`,
};

export const runTexts = {
  gone: 'Run not found',
  started: (when: string) => `Started ${when}`,
  received: (when: string) => `Received ${when}`,
  deviceClock: (when: string) => `The clock of the device was wrong and said ${when}. The start is corrected here.`,
  times: 'Times of the run',
  total: 'Total time',
  steps: 'Steps',
  estimated: 'Estimated time',
  estimatedWhy: 'A time is estimated when the clock of the device was not reliable.',
  on: (device: string) => `Recorded on ${device}`,
  onThisDevice: 'Recorded on this device',
  byApiKey: 'Sent with an API key',
  photo: (nth: number) => `Photo ${numberText(nth)}`,
  photoNamed: (reference: string) => `Photo: ${reference}`,
  remove: 'Delete run',
  removeAsk: (nth: number) => `Delete run ${numberText(nth)}?`,
  removeText: (steps: number) =>
    `Its ${countText(steps, 'step', 'steps')} and notes are deleted on all devices and on the server. This cannot be undone. The map keeps its stages.`,
  removeNow: 'Delete permanently',
  keep: 'Keep run',
  removed: (nth: number) => `Run ${numberText(nth)} deleted`,
};

export const runEditTexts = {
  edit: 'Edit run',
  name: 'Name',
  nameHint: 'For example: New fixture.',
  tags: 'Tags',
  tagsHint: 'Separated by commas, such as early shift, line 2.',
  note: 'Note',
  correct: 'Correct steps',
  asRecorded: 'As recorded',
  correction: (revision: number) => `Steps corrected, revision ${numberText(revision)}`,
  total: (time: string) => `Total ${time}`,
  hint: 'Select a step to rename, retype, split, join or delete it.',
  restore: 'Use the steps as recorded',
  save: 'Save correction',
  saved: 'Steps corrected',
  meanwhile: 'Somebody corrected this run meanwhile.',
  mine: 'Go on with mine',
  theirs: 'Take theirs',
  theirSteps: 'Their correction',
  theirsTaken: 'Their correction taken',
  step: (order: number) => `Step ${numberText(order)}`,
  stage: 'Step name',
  unnamed: 'Enter a step name.',
  apply: 'Apply',
  splitAfter: (time: string) => `Split after (of ${time})`,
  split: 'Split step',
  splitWrong: (example: string, time: string) => `Enter a time such as ${example}, shorter than ${time}.`,
  join: 'Join with next step',
  remove: 'Delete step',
};

/** Changing the times of a map to the times of a run, or to medians. */
export const applyTimesTexts = {
  ofRun: "Use this run's times for the map",
  ofMedians: 'Use the medians for the map',
  ask: (map: string) => `Change the times of ${map}?`,
  update: (stage: string, before: string, after: string) => `${stage}: ${before} → ${after}`,
  addition: (stage: string, time: string) => `New stage ${stage}: ${time}`,
  median: (time: string, runs: number) => `${time}, median of ${countText(runs, 'run', 'runs')}`,
  kept: (stages: number) =>
    stages === 0
      ? 'Waiting times and work types stay as they are.'
      : `${countText(stages, 'stage', 'stages')}, all waiting times and work types stay as they are.`,
  same: 'The map has these times already.',
  save: 'Change the map',
  changed: 'Times of the map changed',
};

export const filterTexts = {
  title: 'Sort and filter',
  sort: 'Sort by',
  sorts: { number: 'Number', total: 'Total time', date: 'Date' },
  from: 'From',
  to: 'To',
  tag: 'Tag',
  device: 'Device',
  any: 'All',
  api: 'API key',
  unnamedDevice: (nth: number) => `Device ${numberText(nth)}`,
  excluded: 'Excluded runs',
  exclusions: { all: 'Show', counted: 'Hide', excluded: 'Only these' },
  none: 'No run matches the filter.',
};

interface PrecisionGoal {
  precision: number;
  confidence: number;
}

const goalText = ({ precision, confidence }: PrecisionGoal) =>
  `±${percentText(precision)} at ${percentText(confidence)} confidence`;

export const compareRunsTexts = {
  title: 'Run comparison',
  missing: (runs: number) => `${countText(runs, 'selected run does', 'selected runs do')} not exist any more.`,
  firstOnly: (runs: number) =>
    `A comparison has at most ${countText(runs, 'run', 'runs')}: these are the first of them.`,
  emptyTitle: 'Nothing to compare',
  emptyText: 'Go back and select runs.',
  allExcluded: 'All selected runs are excluded. Select one below to count it again.',
  variesMostList: (stages: number) => `The ${countText(stages, 'stage', 'stages')} that vary most`,
  stagesTogether: (first: number, last: number) => `Stages ${numberText(first)} to ${numberText(last)} together`,
  variesMost: (stage: string) => `${stage} varies most`,
  variesFrom: ({ least, most, runs, longest }: { least: string; most: string; runs: number; longest: number }) =>
    `${least} to ${most} in ${countText(runs, 'run', 'runs')}, longest in run ${numberText(longest)}`,
  chart: 'Chart of the runs',
  picture: (runs: number) =>
    `${countText(runs, 'bar', 'bars')}, one for each run. The table below has the same figures.`,
  nth: (nth: number) => `#${numberText(nth)}`,
  /** The figures of a part of the chart, one fact a line. */
  segment: (part: { nth: number; total: string; stage: string; time: string; type: string }) =>
    `${part.stage}: ${part.time}\n${part.type}\nRun ${numberText(part.nth)}: ${part.total}`,
  quartiles: (time: { p25: string; median: string; p75: string }) =>
    `A quarter of the runs: up to ${time.p25}\nHalf of the runs: up to ${time.median}\nThree quarters of the runs: up to ${time.p75}`,
  caption: 'The numbers in the bars are the stage numbers of the list below.',
  leftOut: 'Excluded',
  total: (nth: number, total: string) => `Run ${numberText(nth)}: ${total}`,
  order: 'Sort the bars by',
  balance: (of: { share: number; mean: string; longest: string }) =>
    `Balance ${percentText(of.share)}: the runs take ${of.mean} on average, the longest ${of.longest}.`,
  stages: 'Figures of the stages',
  median: 'Median',
  n: (runs: number) => `n = ${numberText(runs)}`,
  range: (least: string, most: string) => `${least} to ${most}`,
  sd: (sd: string) => `SD ${sd}`,
  cv: (share: number) => `CV ${percentText(share)}`,
  oneRun: 'One run says nothing about the spread.',
  alike: 'No difference between the runs',
  mean: (mean: { avg: string; confidence: number; low: string; high: string }) =>
    `Avg ${mean.avg}, ${percentText(mean.confidence)} interval ${mean.low} to ${mean.high}`,
  percentiles: ([p10, p25, p75, p90]: readonly string[]) =>
    `P10\u00a0${p10}, P25\u00a0${p25}, P75\u00a0${p75}, P90\u00a0${p90}`,
  more: (runs: number, goal: PrecisionGoal) => `${countText(runs, 'more run', 'more runs')} for ${goalText(goal)}`,
  enough: (goal: PrecisionGoal) => `Enough runs for ${goalText(goal)}`,
  over: (runs: number, goal: PrecisionGoal) => `Over ${numberText(runs)} runs for ${goalText(goal)}`,
  outlier: (nth: number, time: string) => `Exclude outlier: run ${numberText(nth)}, ${time}`,
  table: 'Times of the stages',
  showTable: 'All times as a table',
  stage: 'Stage',
  figures: ['n', 'Median', 'Min', 'Max', 'Avg', 'SD', 'CV'],
  statistics: 'Percentiles and confidence intervals',
  /** P10 is the time that 10 % of the runs stay within. */
  statisticsHeads: (confidence: number) => [
    'n',
    'P10',
    'P25',
    'P75',
    'P90',
    'Avg',
    `${percentText(confidence)} interval of the avg`,
    'Control limits',
    'Estimated',
  ],
  inSome: (runs: number, of: number) => `in ${numberText(runs)} of ${numberText(of)} runs`,
  whole: 'Whole run',
};

export const timeStudyTexts = {
  takt: 'Takt time',
  taktHint: (example: string) => `Working time divided by demand, such as ${example}. Kept on this device.`,
  taktWrong: (example: string) => `Enter a time such as ${example}.`,
  taktLine: (time: string) => `Takt time ${time}`,
  overTakt: 'Over takt time',
  within: 'All runs are within the takt time.',
  runsOver: (numbers: readonly number[], of: number) =>
    `${numberText(numbers.length)} of ${countText(of, 'run', 'runs')} ${numbers.length === 1 ? 'is' : 'are'} over the takt time: ${listText(
      numbers.map((nth) => `run ${numberText(nth)}`),
    )}.`,
  stagesOver: (names: readonly string[]) => `Stages over it: ${listText(names)}.`,
  precision: 'Precision',
  distance: 'Distance from the true average in %',
  distanceHint: 'The number of runs that you still need depends on it.',
  distanceWrong: 'Enter a number from 1 to 50.',
  confidence: 'Confidence',
  standard: 'Standard time',
  standardOf: (time: string) => `Standard time ${time}`,
  normalOf: (time: string) => `normal ${time}`,
  allowance: 'Allowance in %',
  allowanceHint: 'For personal needs, fatigue and delays.',
  allowanceWrong: 'Enter a number from 0 to 90.',
  allowanceOf: (share: number, basis: string) => `Allowance: ${percentText(share)} of ${basis}.`,
  paceOf: (nth: number, pace: number) => `run ${numberText(nth)} ${percentText(pace)}`,
  paces: (paces: readonly string[]) => `Pace: ${listText(paces)}, otherwise ${percentText(1)}.`,
  basis: 'Share of',
  bases: { day: 'the working day', job: 'the job' },
  ratings: 'Pace of the runs in %',
  ratingsHint: '100 is the normal pace, 110 is a tenth faster.',
  ratingWrong: '30 to 200',
};

export const exclusionTexts = {
  title: 'Excluded runs',
  hint: 'The figures leave these runs out. Select one to count it in this comparison.',
  ask: (nth: number) => `Exclude run ${numberText(nth)}?`,
  text: 'The run is kept. Comparisons leave out all its stages, also those with a usual time. If only one step is wrong, correct the step instead.',
  took: (stage: string, time: string) => `${stage} took ${time}.`,
  reason: 'Reason',
  reasonHint: 'For example: The crane broke down.',
  noReason: 'Enter a reason.',
  exclude: 'Exclude run',
  excluded: (nth: number) => `Run ${numberText(nth)} excluded`,
  include: 'Count run again',
};
