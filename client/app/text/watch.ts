/** The texts that only the watch shows. They are short, since the screen of a watch is small. */
import { countText, numberText } from './format.ts';
import { texts } from './texts.ts';

export const watchTexts = {
  status: {
    safe: 'Safe',
    pending: (changes: number) => `${numberText(changes)} on watch`,
    sending: (changes: number) => `Sending ${numberText(changes)}`,
    offline: 'Offline',
    offlinePending: (changes: number) => `Offline · ${numberText(changes)} on watch`,
    waiting: 'Trying again',
    blocked: 'Sync stopped',
    attention: (items: number) => `${numberText(items)} refused`,
    unpaired: 'Not paired',
    storage: 'Storage problem',
    opening: 'Loading…',
  },

  newMap: (time: string) => `New process, ${time}`,
  resumeMap: (name: string) => `Resume ${name}`,
  type: 'Work type of the next step',
  more: 'Other step, note or discard',
  other: 'Which step?',
  newName: 'New name',
  newNameAsk: 'Name of the next step',
  note: 'Note',
  noteAsk: (step: string) => `Note for ${step}`,
  done: 'Done',
  finished: (steps: number, time: string) => `${countText(steps, 'step', 'steps')} · ${time}`,
  steps: 'Steps',
  custody: { device: 'On this watch', server: texts.record.safe },
  discarded: texts.record.discarded,
  resume: 'Resume',
};
