/** The texts of exports, prints and imports. */
import type { ImportError, ImportWarning } from '../../../client.ts';
import { countText, listText, numberText } from '../format.ts';

export const exportTexts = {
  runs: 'Export runs',
  run: 'Export run',
  short: 'Export',
  which: 'Which runs',
  sets: {
    all: (runs: number) => `All (${numberText(runs)})`,
    selected: (runs: number) => `Selected (${numberText(runs)})`,
    shown: (runs: number) => `Filtered (${numberText(runs)})`,
    one: (runs: number) => countText(runs, 'run', 'runs'),
  },
  format: 'Kind of file',
  formats: {
    'steps.xlsx': { name: 'Spreadsheet', hint: 'A row for each step (XLSX)' },
    'steps.csv': { name: 'Plain table of steps', hint: 'A line for each step (CSV)' },
    'runs.csv': { name: 'Plain table of runs', hint: 'A line for each run, with its totals (CSV)' },
    'log.xes': { name: 'Process mining', hint: 'An event for each step (XES)' },
    'log.ocel.json': { name: 'Process mining with objects', hint: 'Maps, runs and devices as objects (OCEL)' },
  },
  content: (runs: number, steps: number) =>
    `${countText(runs, 'run', 'runs')} with ${countText(steps, 'step', 'steps')}`,
  nothing: 'There is no run to export.',
  tooLarge: (stepsMax: number) =>
    `This kind of file has at most ${numberText(stepsMax)} steps. Choose another kind, or fewer runs.`,
  unsent: (runs: number) =>
    `${countText(runs, 'run has', 'runs have')} work that is not on the server yet. The file has that work, too. The number of a new run can still change.`,
  refused: (recordings: number) =>
    `${countText(recordings, 'recording needs', 'recordings need')} attention and ${recordings === 1 ? 'is' : 'are'} not in the file.`,
  onServer: (runs: number) => `${countText(runs, 'run is', 'runs are')} on the server alone, and not in the file.`,
  load: (runs: number) => `Load ${countText(runs, 'run', 'runs')}`,
  stop: 'Stop loading',
  notLoaded: 'The server has no more of them for this device now.',
  offline: "You're offline. They can be loaded once the server can be reached.",
  make: 'Make the file',
  making: 'Making the file…',
  ready: 'The file is ready',
  facts: (content: string, size: string) => `${content}, ${size}`,
  save: 'Save file',
  share: 'Share',
  notShared: 'The file could not be shared. Save it instead.',
  fileName: { run: (nth: number) => `run ${nth}` },
};

export const printTexts = { print: 'Print' };

export const pictureTexts = {
  title: 'Picture of the value stream',
  open: 'Save picture',
  kinds: { png: 'Picture (PNG)', svg: 'Drawing (SVG)' },
  content: (stages: number) => countText(stages, 'stage', 'stages'),
  fileName: (kind: string) => `value stream.${kind}`,
};

export const importTexts = {
  title: 'Import recordings',
  intro:
    'Take recordings from a CSV file with a line for each step, such as one that Gemba exported. The file is checked first, and nothing changes before you say so.',
  choose: 'Choose a file',
  other: 'Choose another file',
  drop: 'Or drop the file here.',
  unreadable: 'The file could not be read. Choose it again.',
  tooLarge: 'A file has at most 8 MB. Divide it into several.',
  checking: 'Checking the file…',
  progress: {
    reading: (percent: string) => `Reading the file… ${percent}`,
    checking: (percent: string) => `Checking the recordings… ${percent}`,
    saving: (percent: string) => `Importing the recordings… ${percent}`,
  },
  cancel: 'Cancel the check',
  cancelled: 'The check was cancelled. Nothing was imported.',
  new: 'New recordings',
  there: 'Already there',
  steps: 'Steps',
  maps: 'Maps of the file',
  recordings: (recordings: number) => countText(recordings, 'recording', 'recordings'),
  newMap: 'New map',
  nothingNew: 'All recordings of this file are there already. There is nothing to import.',
  ignored: (columns: readonly string[]) => `Nothing is taken from these columns: ${listText(columns)}.`,
  start: (recordings: number) => `Import ${countText(recordings, 'recording', 'recordings')}`,
  importing: (recordings: number) => `Importing ${countText(recordings, 'recording', 'recordings')}…`,
  done: (recordings: number, maps: number) =>
    maps === 0
      ? `${countText(recordings, 'recording', 'recordings')} imported.`
      : `${countText(recordings, 'recording', 'recordings')} imported, ${countText(maps, 'map', 'maps')} created.`,
  wrong: 'What is wrong',
  errors: (errors: number) =>
    `${countText(errors, 'error', 'errors')} in this file. Nothing is imported until the file is right.`,
  place: (line: number, column: string | null) =>
    column === null ? `Line ${numberText(line)}` : `Line ${numberText(line)}, ${column}`,
  problem: ({ message }: ImportError) => message,
  warnings: 'Please check',
  warning: ({ message }: ImportWarning) => message,
  moreWarnings: (warnings: number) => `And ${countText(warnings, 'more note', 'more notes')}.`,
  moreErrors: (errors: number) => `And ${countText(errors, 'more error', 'more errors')}.`,
};
