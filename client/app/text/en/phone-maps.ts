/** The texts of value streams, copies of maps and maps side by side. */
import type { WorkType } from '../../../client.ts';
import { countText, listText, numberText } from '../format.ts';

export const valueStreamTexts = {
  title: 'Value stream',
  lead: 'Lead time',
  cycle: 'Cycle time',
  pce: 'PCE',
  pceLong: 'Process cycle efficiency',
  valueAdd: 'Value-add time',
  unjudged: 'PCE counts the time of valuable work. Set the work types first: all of this is still incidental.',
  wait: 'Waiting',
  picture: (of: string, cycle: string, wait: string) => `${of}, to scale: ${cycle} of work, ${wait} of waiting`,
  waits: (time: string) => `after ${time} of waiting`,
};

export const ladderTexts = {
  title: 'Stages as boxes',
  waits: (time: string) => `${time} of waiting, then`,
  goTo: 'Go to stage',
  noRuns: 'No run has a time for this stage yet.',
};

export const noMapsTexts = {
  empty: {
    title: 'No maps yet',
    text: 'A map shows one process as a row of stages. Create one, then record it where the work is done.',
  },
  loading: { title: 'Loading the maps', text: 'You can already record and create maps.' },
  notLoaded: {
    title: 'Maps not loaded yet',
    text: 'They load when the server can be reached. You can already record and create maps.',
  },
  unpaired: {
    title: 'Maps not loaded yet',
    text: 'They load once this device is paired again. You can already record and create maps.',
  },
  loadingCount: (done: number) => `Loading from the server: ${numberText(done)} so far`,
  search: { title: 'No maps found', text: 'Archived maps are listed under Archived, deleted maps in the recycle bin.' },
  archive: {
    title: 'No archived maps',
    text: 'Archive a map when you no longer work on it. It keeps its stages and runs.',
  },
};

export const recycleBinTexts = {
  inBin: 'This map is in the recycle bin. Its runs are kept.',
  restore: 'Restore',
  emptyTitle: 'The recycle bin is empty',
  emptyText: 'Deleted maps are listed here with their runs. You can restore them.',
  restored: (name: string) => `${name} restored`,
};

export const mapDialogTexts = {
  editTitle: 'Edit map',
  nameHint: 'For example: Press line, or Order to delivery.',
  unnamed: 'Enter a process name.',
  state: 'State',
  states: { current: 'Current state', future: 'Future state' },
};

export const mapMenuTexts = {
  open: 'More',
  edit: 'Edit',
  archive: 'Archive',
  unarchive: 'Unarchive',
  archived: (name: string) => `${name} archived`,
  unarchived: (name: string) => `${name} unarchived`,
  remove: 'Delete',
  removed: (name: string) => `${name} moved to the recycle bin`,
  duplicate: 'Duplicate',
  copySuffix: ' copy',
  duplicated: (name: string) => `Copy of ${name} created`,
  planFuture: 'Plan the future state',
  futureSuffix: ' (future)',
  planned: 'Future state created. Change its stages, then select Compare with another map.',
  beside: 'Compare with another map',
  earlier: 'Restore earlier stages',
};

export const earlierStagesTexts = {
  title: 'Earlier stages',
  here: 'Kept on this device alone: the last 5 lists that were replaced.',
  none: 'This device has seen no stages of this map being replaced. Another device may have.',
  /** `run` is the run whose recording replaced the stages. */
  before: (stages: number, run: number | null) =>
    run === null
      ? `${countText(stages, 'stage', 'stages')}, before they were changed by hand`
      : `${countText(stages, 'stage', 'stages')}, before run ${numberText(run)}`,
  restore: 'Restore these stages',
  restored: 'Earlier stages restored',
};

/** The choice of the map from which a new map starts. */
export const startFromTexts = {
  search: 'Find a map to start from',
  label: 'Start from',
  empty: 'An empty map',
  samples: 'Samples',
  maps: 'Your maps',
};

export const mapsSideBySideTexts = {
  title: 'Maps side by side',
  choose: 'Select the map to compare with.',
  none: 'There is no other map yet. Duplicate this one first.',
  gone: 'One of the two maps was deleted, or the link is wrong.',
  other: 'Select another map',
  print: 'Print',
  states: { current: 'Current', future: 'Future' },
  figures: 'Figures of both maps',
  figure: 'Figure',
  lead: valueStreamTexts.lead,
  cycle: valueStreamTexts.cycle,
  wait: valueStreamTexts.wait,
  valueAdd: valueStreamTexts.valueAdd,
  pce: valueStreamTexts.pce,
  stages: 'Stages',
  difference: 'Difference',
  /** The lead time of the right map, measured against that of the left map. */
  saving: {
    shorter: (time: string, percent: string) => `Lead time is ${time} shorter (${percent}).`,
    longer: (time: string, percent: string) => `Lead time is ${time} longer (${percent}).`,
    same: 'Lead time is the same.',
  },
  points: (signedPoints: string) => `${signedPoints} points`,
  byStage: 'Difference by stage',
  greatest: (rows: number) => (rows === 1 ? 'The only difference' : `The ${numberText(rows)} greatest differences`),
  stage: 'Stage',
  was: (name: string) => `was ${name}`,
  added: 'New',
  removed: 'Removed',
  unchanged: 'No change',
  waits: (time: string) => `+ ${time} wait`,
  changed: (stages: number, of: number) =>
    `${countText(stages, 'stage differs', 'stages differ')} of ${numberText(of)}.`,
};

/** Replacing the stages of a map with the stages of a run. */
export const replaceStagesTexts = {
  use: "Use this run's stages for the map",
  ask: (map: string) => `Replace the stages of ${map}?`,
  kept: (kept: number) =>
    `${countText(kept, 'stage keeps its waiting time and takes', 'stages keep their waiting times and take')} the time of this run.`,
  added: (stages: number) => `${countText(stages, 'stage is', 'stages are')} new.`,
  removed: (names: readonly string[]) => `Removed: ${listText(names)}.`,
  more: (stages: number) => `${numberText(stages)} more`,
  save: 'Replace the stages',
  changed: 'Stages of the map replaced',
};

interface SampleMap {
  id: string;
  name: string;
  stages: { name: string; secs: number; waitSecs: number; type: WorkType }[];
}

/** Sample processes to try Gemba with. Their ids are not UUIDs, so no map of the account has such an id. */
export const sampleMaps: SampleMap[] = [
  {
    id: 'sample-coffee',
    name: 'Make coffee',
    stages: [
      { name: 'Boil water', secs: 60, waitSecs: 0, type: 'incidental' },
      { name: 'Grind beans', secs: 25, waitSecs: 0, type: 'incidental' },
      { name: 'Brew', secs: 40, waitSecs: 30, type: 'valuable' },
    ],
  },
  {
    id: 'sample-press',
    name: 'Press and inspect parts',
    stages: [
      { name: 'Fetch material', secs: 60, waitSecs: 0, type: 'waste' },
      { name: 'Load press', secs: 30, waitSecs: 120, type: 'incidental' },
      { name: 'Press', secs: 45, waitSecs: 0, type: 'valuable' },
      { name: 'Deburr', secs: 40, waitSecs: 600, type: 'valuable' },
      { name: 'Inspect', secs: 25, waitSecs: 0, type: 'incidental' },
      { name: 'Pack', secs: 20, waitSecs: 1_800, type: 'valuable' },
    ],
  },
  {
    id: 'sample-order',
    name: 'Order to delivery',
    stages: [
      { name: 'Enter order', secs: 300, waitSecs: 3_600, type: 'incidental' },
      { name: 'Pick goods', secs: 900, waitSecs: 14_400, type: 'valuable' },
      { name: 'Check goods', secs: 240, waitSecs: 1_800, type: 'incidental' },
      { name: 'Pack', secs: 420, waitSecs: 3_600, type: 'valuable' },
      { name: 'Ship', secs: 600, waitSecs: 28_800, type: 'valuable' },
    ],
  },
];

export const trendTexts = {
  title: 'Trend of the runs',
  from: 'Compare before and from',
  fromDate: 'or from the day',
  charts: 'Charts of the trend',
  picture: (runs: number) => `Total times of ${countText(runs, 'run', 'runs')} in their order, and two medians`,
  pcePicture: (runs: number) => `PCE of ${countText(runs, 'run', 'runs')} in their order, and two medians`,
  pce: 'PCE',
  before: 'Before',
  after: 'From then on',
  medianOf: (part: string, runs: number) => `${part}, median of ${countText(runs, 'run', 'runs')}`,
  none: '–',
  sinceRun: (nth: number) => `since run ${numberText(nth)}`,
  sinceDate: (day: string) => `since ${day}`,
  less: (since: string, time: string, percent: string) => `${time} less ${since}, ${percent}.`,
  more: (since: string, time: string, percent: string) => `${time} more ${since}, ${percent}.`,
  same: (since: string) => `No change ${since}.`,
  pcePoints: (signedPoints: string) => `PCE ${signedPoints} points.`,
  noneBefore: 'There is no run before.',
  noneAfter: 'There is no run since then.',
  limits: (runs: number, lower: string, upper: string) =>
    `Control limits of ${countText(runs, 'run', 'runs')}: ${lower} to ${upper}.`,
  within: 'All runs are within them: they vary by chance alone.',
  beyond: (numbers: readonly number[]) =>
    `Beyond them: ${listText(numbers.map((nth) => `run ${numberText(nth)}`))}. Look for the cause.`,
  asking: (runs: number, received: number) =>
    `Asking the server for ${countText(runs, 'run', 'runs')} that ${runs === 1 ? 'is' : 'are'} not on this device…${received > 0 ? ` ${numberText(received)} received.` : ''}`,
  fromServer: (runs: number, of: number) =>
    `${numberText(runs)} of these ${countText(of, 'run', 'runs')} ${runs === 1 ? 'comes' : 'come'} from the server.`,
  isOffline: "You're offline.",
  coversNewest: (runs: number, shown: number) =>
    `${countText(runs, 'older run is', 'older runs are')} not on this device. The trend covers the newest ${numberText(shown)}.`,
  coversHere: (runs: number, shown: number) =>
    `${countText(runs, 'run is', 'runs are')} not on this device. The trend covers ${numberText(shown)} that ${shown === 1 ? 'is' : 'are'}.`,
};
