/** Says what Undo took back in a recording, on a phone and on a watch. */
import type { Undoable } from '../../../client.ts';

export const undoneTexts = {
  step: (step) => `${step} taken back`,
  note: (step) => `Note of ${step} taken back`,
  edit: (step) => `Change of ${step} taken back`,
  split: (step) => `Split of ${step} taken back`,
  join: (step) => `Join of ${step} taken back`,
  border: (step) => `${step} ends as before`,
  photo: (step) => `Photo of ${step} taken back`,
  photo_removal: (step) => `Photo of ${step} is back`,
  pause: (step) => `Pause of ${step} taken back`,
  resume: (step) => `${step} is paused again`,
  cycle: () => 'Back in the cycle before',
} satisfies Record<Undoable['kind'], (step: string) => string>;
