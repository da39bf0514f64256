/** The phone's texts, except for the screens that load on demand (phone-on-demand.ts). */
import type { StagesMode } from '../../../client.ts';
import { countText, numberText } from '../format.ts';
import { texts } from './texts.ts';

export const phoneTexts = {
  toDesk: 'Use the whole window',

  recorder: {
    now: 'Now',
    next: 'Next:',
    backTo: 'Back to:',
    position: (step: number, of: number) =>
      step <= of ? `step ${numberText(step)} of ${numberText(of)}` : `step ${numberText(step)}`,
    total: (time: string) => `total ${time}`,
    usual: (time: string) => `usually ${time}`,
    last: (time: string) => `last ${time}`,
    type: 'Work type of the next step',
    finished: (mode: StagesMode) => `Finished. ${texts.record.stages[mode]}.`,
    endFirst: 'Finish or discard this recording first.',
    goBack: (step: string) => `Recording, now: ${step}. Back to it`,
  },

  maps: {
    search: 'Search maps',
    filter: 'Show',
    filters: { all: 'All', current: 'Current', future: 'Future', archived: 'Archived' },
    bin: 'Recycle bin',
  },

  runs: {
    count: (runs: number) => countText(runs, 'run', 'runs'),
    last: (when: string) => `Last run ${when}`,
    never: 'Each recording of this map becomes a run.',
  },

  sync: {
    title: 'Sync',
  },
};
