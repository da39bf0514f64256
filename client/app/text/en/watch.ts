/** The texts that only the watch shows. They are short, since the screen of a watch is small. */
import type { StagesMode } from '../../../../shared/schema/recording.ts';
import { countText, numberText, type TimeNotation } from '../format.ts';
import { texts } from './texts.ts';

export const watchTexts = {
  status: {
    safe: 'Safe',
    pending: (changes: number) => `${numberText(changes)} on watch`,
    sending: (changes: number) => `Sending ${numberText(changes)}`,
    offline: 'Offline',
    offlinePending: (changes: number) => `Offline · ${numberText(changes)} on watch`,
    waiting: 'Server is busy',
    retrying: 'Trying again',
    blocked: 'Sync stopped',
    attention: (items: number) => `${numberText(items)} refused`,
    unpaired: 'Not paired',
    storage: 'Storage problem',
    opening: 'Loading…',
  },

  newMap: (time: string) => `New process, ${time}`,
  resumeMap: (name: string) => `Resume ${name}`,
  type: 'Work type of the next step',
  times: {
    clock: 'Show times in cmin',
    centiminute: 'Show times in m:ss',
  } satisfies Record<TimeNotation, string>,
  allMaps: (maps: number) => `All maps: ${numberText(maps)}`,
  letters: 'First letter',
  more: texts.record.more,
  other: 'Which step?',
  newName: texts.record.newName,
  newNameAsk: texts.record.newNameAsk,
  note: texts.record.note,
  noteAsk: texts.record.noteAsk,
  rename: 'Rename',
  stepName: 'Step name',
  done: 'Done',
  holdToFinish: 'Hold to finish',
  stages: {
    merge: 'Map gets new times',
    keep: 'Map stays as it is',
    replace: 'Map has new stages',
  } satisfies Record<StagesMode, string>,
  ask: {
    partial: (stages: number, of: number) => `${numberText(stages)} of ${numberText(of)} stages`,
    future: 'A future state',
  },
  finished: (steps: number, time: string) => `${countText(steps, 'step', 'steps')} · ${time}`,
  steps: 'Steps',
  custody: { device: 'On this watch', server: texts.record.safe },
  discarded: texts.record.discarded,
  resume: texts.record.resume,
};
