/** Says what Undo took back in a recording, in German. The glossary is in texts.ts. */
type English = typeof import('../en/undone.ts');

export const undoneTexts: English['undoneTexts'] = {
  step: (step) => `${step} zurückgenommen`,
  note: (step) => `Notiz zu ${step} zurückgenommen`,
  edit: (step) => `Änderung an ${step} zurückgenommen`,
  split: (step) => `Teilung von ${step} zurückgenommen`,
  join: (step) => `Zusammenlegung von ${step} zurückgenommen`,
  border: (step) => `${step} endet wie zuvor`,
  photo: (step) => `Foto zu ${step} zurückgenommen`,
  photo_removal: (step) => `Foto zu ${step} ist wieder da`,
  pause: (step) => `Pause von ${step} zurückgenommen`,
  resume: (step) => `${step} ist wieder pausiert`,
  cycle: () => 'Zurück im vorigen Zyklus',
};
