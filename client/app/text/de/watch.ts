/** The watch's texts in German. They are short, since the screen of a watch is small. The glossary is in texts.ts. */
import { countText, numberText } from '../format.ts';
import { texts } from './texts.ts';

type English = typeof import('../en/watch.ts');

export const watchTexts: English['watchTexts'] = {
  status: {
    safe: 'Sicher',
    pending: (changes) => `${numberText(changes)} auf Uhr`,
    sending: (changes) => `Sendet ${numberText(changes)}`,
    offline: 'Offline',
    offlinePending: (changes) => `Offline · ${numberText(changes)} auf Uhr`,
    waiting: 'Server ausgelastet',
    retrying: 'Neuer Versuch',
    blocked: 'Kein Abgleich',
    attention: (items) => `${numberText(items)} abgelehnt`,
    unpaired: 'Nicht gekoppelt',
    storage: 'Speicherproblem',
    opening: 'Wird geladen…',
  },

  newMap: (time) => `Neuer Prozess, ${time}`,
  resumeMap: (name) => `${name} fortsetzen`,
  type: 'Art der Arbeit im nächsten Schritt',
  times: { clock: 'Zeiten in cmin zeigen', centiminute: 'Zeiten in m:ss zeigen' },
  allMaps: (maps) => `Alle Prozesse: ${numberText(maps)}`,
  letters: 'Erster Buchstabe',
  more: texts.record.more,
  other: 'Welcher Schritt?',
  newName: texts.record.newName,
  newNameAsk: texts.record.newNameAsk,
  note: texts.record.note,
  noteAsk: texts.record.noteAsk,
  rename: 'Umbenennen',
  stepName: 'Name des Schritts',
  done: 'Fertig',
  holdToFinish: 'Halten zum Beenden',
  stages: {
    merge: 'Zeiten übernommen',
    keep: 'Prozess unverändert',
    replace: 'Neue Abschnitte',
  },
  ask: {
    partial: (stages, of) => `${numberText(stages)} von ${numberText(of)} Abschnitten`,
    future: 'Ein Soll-Zustand',
  },
  finished: (steps, time) => `${countText(steps, 'Schritt', 'Schritte')} · ${time}`,
  steps: 'Schritte',
  custody: { device: 'Auf dieser Uhr', server: texts.record.safe },
  discarded: texts.record.discarded,
  resume: texts.record.resume,
};
