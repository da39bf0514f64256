/** The watch's texts in German. They are short, since the screen of a watch is small. The glossary is in texts.ts. */
import { errorTexts } from './errors.ts';
import { countText, numberText } from '../format.ts';
import { setErrorTexts, texts } from './texts.ts';
import { undoneTexts } from './undone.ts';

setErrorTexts(errorTexts);

type English = typeof import('../en/watch.ts');

const stepsText = (steps: number) => countText(steps, 'Schritt', 'Schritte');
/** A finished recording is called "Lauf" here, since "Durchlauf" is too long for the top of a round screen. */
const runsText = (runs: number) => countText(runs, 'Lauf', 'Läufe');

export const watchTexts: English['watchTexts'] = {
  status: {
    safe: 'Sicher',
    waiting: 'Server ausgelastet',
    retrying: 'Neuer Versuch',
    blocked: 'Kein Abgleich',
    attention: (items) => `${numberText(items)} abgelehnt`,
    unpaired: 'Nicht gekoppelt',
  },

  stepCount: stepsText,
  runCount: runsText,
  onWatch: (unsent) => `${unsent} auf Uhr`,
  offlineOnWatch: (unsent) => `Offline · ${unsent}`,
  sending: (runs) => `Sendet ${runsText(runs)}`,

  pairAgain: 'Neu koppeln',
  newMap: (time) => `Neuer Prozess ${time}`,
  resumeMap: (name) => `${name} fortsetzen`,
  times: { clock: 'Zeiten in cmin zeigen', centiminute: 'Zeiten in m:ss zeigen' },
  recordGap: 'Zeit zwischen Zyklen aufnehmen',
  skipGap: 'Zeit zwischen Zyklen auslassen',
  stepsAndTime: (steps, time) => `${stepsText(steps)} · ${time}`,
  type: (type) => `Art des nächsten Schritts: ${type}`,
  next: (position, of) => (position <= of ? `Weiter ${numberText(position)}/${numberText(of)}` : 'Weiter'),
  now: 'Jetzt',
  nextCycle: 'Neuer Zyklus',
  backTo: 'Zurück zu',
  usual: (time) => `~${time}`,
  last: (time) => `war ${time}`,
  noMaps: 'Prozesse vom Handy erscheinen hier.',
  allMaps: (maps) => `Alle Prozesse: ${numberText(maps)}`,
  allNames: (names) => `Alle Namen: ${numberText(names)}`,
  stageRange: (first, last) => `${numberText(first)} bis ${numberText(last)}`,
  letters: 'Erster Buchstabe',
  search: 'Suchen',
  searchAsk: 'Teil des Namens',
  noneFound: 'Kein Prozess heißt so.',
  untrusted: 'Diese Uhr vertraut dem Server nicht und braucht ein Netz.',
  more: texts.record.more,
  other: 'Welcher Schritt?',
  newProcess: 'Neuer Prozess',
  newName: 'Neuer Name',
  newNameAsk: 'Name des nächsten Schritts',
  note: 'Notiz',
  noteAsk: (step) => `Notiz zu ${step}`,
  rename: 'Umbenennen',
  stepName: 'Name des Schritts',
  done: 'Fertig',
  holdToFinish: 'Halten zum Beenden',
  stages: {
    merge: 'Prozess aktualisiert',
    keep: 'Prozess unverändert',
    replace: 'Neue Abschnitte',
  },
  undone: undoneTexts,
  ask: {
    partial: (stages, of) => `${numberText(stages)} von ${numberText(of)} Abschnitten`,
    future: 'Soll-Zustand',
    modes: { keep: 'Nur dieser Durchlauf', merge: 'Neue Zeiten', replace: 'Neue Abschnitte' },
  },
  steps: 'Schritte',
  custody: { device: 'Auf dieser Uhr', attention: 'Am Handy nachsehen', server: 'Sicher auf dem Server' },
  handed: (phones: number) => `An Handy übergeben (${numberText(phones)})`,
  handOver: 'Übergeben',
  continued: 'Aufnahme läuft weiter',
  discarded: texts.record.discarded,
  resume: texts.record.resume,
};
