/** The texts that all faces show. English defines which texts there are: each other language has the same. */
import type { StagesMode, WorkType } from '../../../client.ts';
import { countText, numberText } from '../format.ts';

export const texts = {
  app: 'Gemba',
  opening: 'Loading…',
  back: 'Back',
  cancel: 'Cancel',
  close: 'Close',
  undo: 'Undo',
  skip: 'Skip to content',
  sections: 'Sections',
  centiminutes: (number: string) => `${number} centiminute${number === '1' ? '' : 's'}`,

  /** Says why something failed. The messages of the engine and the server are English sentences already. */
  errorText: ({ code, message }: { code?: string; message: string }): string =>
    code === 'unauthorized' ? 'This device was removed from the account.' : message,

  failed: {
    title: 'Something went wrong',
    text: 'Your recordings are saved on this device. Open the app again to continue.',
    again: 'Open again',
  },
  noStorage: {
    title: "This browser can't store data",
    text: 'Gemba needs to store your recordings. Leave private browsing, or allow this site to store data.',
  },
  notOpened: {
    title: 'Gemba could not open',
    text: (reason: string) => `Close the other tabs of Gemba, then open it again. The browser says: ${reason}`,
    again: 'Open again',
  },
  notFound: { title: 'Page not found', text: 'Gemba has no page at this address.' },

  workTypes: {
    valuable: 'Valuable',
    incidental: 'Incidental',
    waste: 'Waste',
  } satisfies Record<WorkType, string>,

  status: {
    label: 'Sync',
    safe: 'All safe on the server',
    pending: (changes: number) => `${countText(changes, 'change', 'changes')} to upload`,
    photos: (photos: number) => `${countText(photos, 'photo', 'photos')} to upload`,
    sending: (changes: number) => `Sending ${numberText(changes)}`,
    offline: 'Offline',
    offlinePending: (changes: number) => `Offline · ${countText(changes, 'change', 'changes')} to upload`,
    waiting: 'Server is busy, trying again',
    retrying: 'Trying again',
    blocked: 'Sync stopped',
    attention: (items: number) => `${countText(items, 'item needs', 'items need')} attention`,
    unpaired: 'No longer paired',
    storage: 'Storage problem',
  },

  maps: {
    title: 'Maps',
    new: 'New map',
    name: 'Process name',
    create: 'Create',
    figures: (stages: number, runs: number) =>
      `${countText(stages, 'stage', 'stages')} · ${countText(runs, 'run', 'runs')}`,
    pending: 'Only on this device',
  },

  map: { stages: 'Stages', record: 'Record' },

  record: {
    title: 'Record',
    firstStepHint: 'Tap when the first step starts',
    step: (position: number) => `Step ${numberText(position)}`,
    nextStep: 'Next step',
    firstStep: 'First step',
    nextNamed: (name: string) => `Next: ${name}`,
    backToNamed: (name: string) => `Back to: ${name}`,
    nextCycle: 'Next cycle',
    nextCycleNamed: (name: string) => `Next cycle: ${name}`,
    gap: 'Between cycles',
    interruption: 'Interruption',
    pause: 'Pause',
    paused: 'Paused',
    edit: (step: string) => `Edit ${step}`,
    undo: 'Undo',
    finish: 'Finish',
    discard: 'Discard recording',
    discarded: 'Recording discarded',
    finished: 'Recording finished. It uploads automatically.',
    more: 'Other step, note or discard',
    resume: 'Resume',
    onDevice: (steps: number) => `${countText(steps, 'step', 'steps')} on this device`,
    /** Says how a finished recording changed the map's stages. */
    stages: {
      merge: 'The map gets the new steps and times',
      keep: 'The map stays as it is',
      replace: 'Its steps become the stages',
    } satisfies Record<StagesMode, string>,
  },
};
