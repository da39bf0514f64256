/** The texts that only the watch shows. They are short, since the screen of a watch is small. */
import type { StagesMode } from '../../../client.ts';
import { countText, numberText, type TimeNotation } from '../format.ts';
import { texts } from './texts.ts';
import { undoneTexts } from './undone.ts';

const stepsText = (steps: number) => countText(steps, 'step', 'steps');
const runsText = (runs: number) => countText(runs, 'run', 'runs');

export const watchTexts = {
  /** These texts replace the phone's texts of the status that are too long for a watch. */
  status: {
    safe: 'Safe',
    waiting: 'Server is busy',
    retrying: 'Trying again',
    blocked: 'Sync stopped',
    attention: (items: number) => `${numberText(items)} refused`,
    unpaired: 'Not paired',
  },

  stepCount: stepsText,
  runCount: runsText,
  /** Names the runs or steps that only this watch has. */
  onWatch: (unsent: string) => `${unsent} on watch`,
  offlineOnWatch: (unsent: string) => `Offline · ${unsent}`,
  sending: (runs: number) => `Sending ${runsText(runs)}`,

  pairAgain: 'Pair again',
  newMap: (time: string) => `New process ${time}`,
  resumeMap: (name: string) => `Resume ${name}`,
  times: {
    clock: 'Show times in cmin',
    centiminute: 'Show times in m:ss',
  } satisfies Record<TimeNotation, string>,
  recordGap: 'Record time between cycles',
  skipGap: 'Skip time between cycles',
  stepsAndTime: (steps: number, time: string) => `${stepsText(steps)} · ${time}`,
  type: (type: string) => `Work type of the next step: ${type}`,
  next: (position: number, of: number) => (position <= of ? `Next ${numberText(position)}/${numberText(of)}` : 'Next'),
  /** The name of the step under way for a screen reader. */
  now: 'Now',
  nextCycle: texts.record.nextCycle,
  backTo: 'Back to',
  /** The usual time of the step, beside its running clock. */
  usual: (time: string) => `~${time}`,
  /** The time of the step in the last run. */
  last: (time: string) => `last ${time}`,
  noMaps: 'Maps from a phone appear here.',
  allMaps: (maps: number) => `All maps: ${numberText(maps)}`,
  allNames: (names: number) => `All names: ${numberText(names)}`,
  stageRange: (first: number, last: number) => `${numberText(first)} to ${numberText(last)}`,
  letters: 'First letter',
  search: 'Search',
  searchAsk: 'Part of the name',
  noneFound: 'No map has this name.',
  untrusted: "This watch doesn't trust the server, so Gemba can't open offline here.",
  more: texts.record.more,
  other: 'Which step?',
  newProcess: 'New process',
  newName: 'New name',
  newNameAsk: 'Name of the next step',
  note: 'Note',
  noteAsk: (step: string) => `Note for ${step}`,
  rename: 'Rename',
  stepName: 'Step name',
  done: 'Done',
  holdToFinish: 'Hold to finish',
  stages: {
    merge: 'Map is updated',
    keep: 'Map stays as it is',
    replace: 'Map has new stages',
  } satisfies Record<StagesMode, string>,
  undone: undoneTexts,
  ask: {
    partial: (stages: number, of: number) => `${numberText(stages)} of ${numberText(of)} stages`,
    future: 'A future state',
    modes: {
      keep: 'Only this run',
      merge: 'Update the map',
      replace: 'Replace the stages',
    } satisfies Record<StagesMode, string>,
  },
  steps: 'Steps',
  custody: { device: 'On this watch', attention: 'Needs attention on a phone', server: 'Safe on the server' },
  handed: (phones: number) => `Handed to a phone (${numberText(phones)})`,
  handOver: 'Hand over by codes',
  /** The message after Undo has continued a finished recording. */
  continued: 'Recording continues',
  discarded: texts.record.discarded,
  resume: texts.record.resume,
};
