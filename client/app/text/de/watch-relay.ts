/** The German texts of handing over on a watch. */
import type * as english from '../en/watch-relay.ts';
import { countText } from '../format.ts';

const runsText = (runs: number) => countText(runs, 'Lauf', 'Läufe');

export const handOverTexts: typeof english.handOverTexts = {
  title: 'Übergeben',
  preparing: 'Wird vorbereitet …',
  codes: 'Codes für',
  count: (runs) => runsText(runs),
  tapWhenDone: 'Tippen, wenn fertig',
  left: (runs) => `${runsText(runs)} folgen beim nächsten Mal.`,
  asking: 'Code auf dem Handy?',
  enter: 'Code eingeben',
  later: 'Noch kein Code',
  cancel: 'Abbrechen',
  showAgain: 'Codes noch einmal zeigen',
  typed: 'Code vom Handy',
  group: (keys) => keys,
  erase: 'Löschen',
  arrived: 'Sicher auf dem Server',
  arrivedRuns: (runs) => `${runsText(runs)} angekommen.`,
  attention: 'Angekommen. Am Handy nachsehen.',
  handed: 'Übergeben, nicht bestätigt',
  handedWhy: 'Alles bleibt hier, bis ein Code es bestätigt.',
  wrong: 'Falscher Code',
  triesLeft: (tries) => countText(tries, 'Versuch übrig', 'Versuche übrig'),
  noTries: 'Kein Code erwartet',
  noTriesWhy: 'Alles bleibt hier. Später noch einmal übergeben.',
  nothing: 'Nichts zu übergeben',
  allSafe: 'Alle Läufe sind sicher auf dem Server.',
  notShown: {
    arrived: (runs) => `Angekommen: ${runsText(runs)}.`,
    refused: (runs) => `Angekommen, am Handy nachsehen: ${runsText(runs)}.`,
    tooLarge: (runs) => `Zu groß für Codes, wartet auf das Netz: ${runsText(runs)}.`,
    other: 'Der Rest wartet auf das Netz.',
  },
  needsNetwork: 'Diese Uhr braucht einmal ihr Netz, bevor sie übergeben kann.',
  again: 'Noch einmal versuchen',
};
