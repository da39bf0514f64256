/** The phone's texts in German, except for the screens that load on demand. The glossary is in texts.ts. */
import { countText, numberText } from '../format.ts';
import { texts } from './texts.ts';

type English = typeof import('../en/phone.ts');

export const phoneTexts: English['phoneTexts'] = {
  toDesk: 'Ganzes Fenster nutzen',

  recorder: {
    now: 'Jetzt',
    next: 'Weiter:',
    backTo: 'Zurück zu:',
    position: (step, of) =>
      step <= of ? `Schritt ${numberText(step)} von ${numberText(of)}` : `Schritt ${numberText(step)}`,
    total: (time) => `gesamt ${time}`,
    usual: (time) => `üblich ${time}`,
    last: (time) => `zuletzt ${time}`,
    type: 'Art der Arbeit im nächsten Schritt',
    finished: (mode) => `Beendet. ${texts.record.stages[mode]}.`,
    endFirst: 'Bitte zuerst diese Aufnahme beenden oder verwerfen.',
    goBack: (step) => `Aufnahme läuft, jetzt: ${step}. Zurück dorthin`,
  },

  maps: {
    search: 'Prozesse suchen',
    filter: 'Anzeigen',
    filters: { all: 'Alle', current: 'Ist', future: 'Soll', archived: 'Archiv' },
    bin: 'Papierkorb',
  },

  runs: {
    count: (runs) => countText(runs, 'Durchlauf', 'Durchläufe'),
    last: (when) => `Letzter Durchlauf ${when}`,
    never: 'Jede Aufnahme wird ein Durchlauf.',
  },

  sync: {
    title: 'Abgleich',
  },
};
