/** What the watch alone says, in addition to `texts.ts`; translated with it. One thing at a time, and in few words. */
import { count, number, texts } from './texts.ts';

export const words = {
  status: {
    safe: 'Safe',
    pending: (waiting: number) => `${number(waiting)} here`,
    sending: (waiting: number) => `Sending ${number(waiting)}`,
    offline: 'Offline',
    offlinePending: (waiting: number) => `Offline · ${number(waiting)} here`,
    waiting: 'Trying again',
    blocked: 'Stopped',
    attention: (waiting: number) => `${number(waiting)} refused`,
    unpaired: 'Not paired',
    storage: 'Storage trouble',
    opening: 'Opening',
  },

  newMap: (at: string) => `New process, ${at}`,
  takeUpAgain: (name: string) => `Take up again: ${name}`,
  type: 'Work type of the next step',
  more: 'Other step, note or give up',
  other: 'Which step?',
  newName: 'New name',
  newNameAsk: 'Name of the next step',
  note: 'Note',
  noteAsk: (step: string) => `Note on ${step}`,
  done: 'Done',
  finished: (steps: number, time: string) => `${count(steps, 'step', 'steps')} · ${time}`,
  steps: 'Steps',
  custody: { device: 'On this watch', server: texts.record.safe },
  givenUp: 'Given up',
  again: 'Take it up again',
};
