/** The texts of value streams, copies of maps and maps side by side in German. The glossary is in texts.ts. */
import { countText, listText, numberText } from '../format.ts';

type English = typeof import('../en/phone-maps.ts');

export const valueStreamTexts: English['valueStreamTexts'] = {
  title: 'Wertstrom',
  lead: 'Durchlaufzeit',
  cycle: 'Zykluszeit',
  pce: 'PCE',
  pceLong: 'Prozesseffizienz',
  valueAdd: 'Wertschöpfende Zeit',
  unjudged:
    'Die PCE zählt wertschöpfende Zeit. Bitte zuerst die Art der Arbeit festlegen: Noch ist alles unterstützend.',
  wait: 'Wartezeit',
  picture: (of, cycle, wait) => `${of}, maßstäblich: ${cycle} Arbeit, ${wait} Wartezeit`,
  waits: (time) => `nach ${time} Wartezeit`,
};

export const ladderTexts: English['ladderTexts'] = {
  title: 'Abschnitte als Kästen',
  waits: (time) => `${time} Wartezeit, dann`,
  goTo: 'Zu Abschnitt gehen',
  noRuns: 'Für diesen Abschnitt gibt es noch keine Zeit aus einem Durchlauf.',
};

export const noMapsTexts: English['noMapsTexts'] = {
  empty: {
    title: 'Noch keine Prozesse',
    text: 'Ein Prozess ist eine Reihe von Abschnitten. Einen anlegen, dann dort aufnehmen, wo gearbeitet wird.',
  },
  loading: { title: 'Prozesse werden geladen', text: 'Aufnehmen und Anlegen sind bereits möglich.' },
  notLoaded: {
    title: 'Prozesse noch nicht geladen',
    text: 'Sie werden geladen, sobald der Server erreichbar ist. Aufnehmen und Anlegen sind bereits möglich.',
  },
  unpaired: {
    title: 'Prozesse noch nicht geladen',
    text: 'Sie werden geladen, sobald dieses Gerät wieder gekoppelt ist. Aufnehmen und Anlegen sind bereits möglich.',
  },
  loadingCount: (done) => `Wird vom Server geladen: bisher ${numberText(done)}`,
  search: {
    title: 'Keine Prozesse gefunden',
    text: 'Archivierte Prozesse stehen unter Archiv, gelöschte im Papierkorb.',
  },
  archive: {
    title: 'Keine archivierten Prozesse',
    text: 'Prozesse, an denen nicht mehr gearbeitet wird, lassen sich archivieren. Abschnitte und Durchläufe bleiben erhalten.',
  },
};

export const recycleBinTexts: English['recycleBinTexts'] = {
  inBin: 'Im Papierkorb. Die Durchläufe bleiben erhalten.',
  restore: 'Wiederherstellen',
  emptyTitle: 'Der Papierkorb ist leer',
  emptyText: 'Gelöschte Prozesse stehen hier mit ihren Durchläufen. Sie lassen sich wiederherstellen.',
  restored: (name) => `${name} wiederhergestellt`,
};

export const mapDialogTexts: English['mapDialogTexts'] = {
  editTitle: 'Prozess bearbeiten',
  nameHint: 'Zum Beispiel: Presslinie oder Auftrag bis Lieferung.',
  unnamed: 'Bitte einen Namen für den Prozess eingeben.',
  state: 'Zustand',
  states: { current: 'Ist-Zustand', future: 'Soll-Zustand' },
};

export const mapMenuTexts: English['mapMenuTexts'] = {
  open: 'Mehr',
  edit: 'Bearbeiten',
  archive: 'Archivieren',
  unarchive: 'Aus dem Archiv holen',
  archived: (name) => `${name} archiviert`,
  unarchived: (name) => `${name} aus dem Archiv geholt`,
  remove: 'Löschen',
  removed: (name) => `${name} in den Papierkorb gelegt`,
  duplicate: 'Duplizieren',
  copySuffix: ' Kopie',
  duplicated: (name) => `Kopie von ${name} angelegt`,
  planFuture: 'Soll-Zustand planen',
  futureSuffix: ' (Soll)',
  planned: 'Soll-Zustand angelegt. Abschnitte ändern, dann „Mit anderem Prozess vergleichen“ wählen.',
  beside: 'Mit anderem Prozess vergleichen',
  earlier: 'Frühere Abschnitte wiederherstellen',
};

export const earlierStagesTexts: English['earlierStagesTexts'] = {
  title: 'Frühere Abschnitte',
  here: 'Nur auf diesem Gerät aufbewahrt: die letzten 5 Listen, die ersetzt wurden.',
  none: 'Dieses Gerät hat nicht gesehen, dass Abschnitte dieses Prozesses ersetzt wurden. Ein anderes vielleicht.',
  before: (stages, run) =>
    run === null
      ? `${countText(stages, 'Abschnitt', 'Abschnitte')}, vor einer Änderung von Hand`
      : `${countText(stages, 'Abschnitt', 'Abschnitte')}, vor Durchlauf ${numberText(run)}`,
  restore: 'Diese Abschnitte wiederherstellen',
  restored: 'Frühere Abschnitte wiederhergestellt',
};

export const startFromTexts: English['startFromTexts'] = {
  search: 'Vorlage suchen',
  label: 'Vorlage',
  empty: 'Leerer Prozess',
  samples: 'Beispiele',
  maps: 'Eigene Prozesse',
};

export const mapsSideBySideTexts: English['mapsSideBySideTexts'] = {
  title: 'Prozesse nebeneinander',
  choose: 'Mit welchem Prozess vergleichen?',
  none: 'Es gibt noch keinen anderen Prozess. Zuerst diesen duplizieren.',
  gone: 'Einer der beiden Prozesse wurde gelöscht, oder der Link ist falsch.',
  other: 'Anderen Prozess wählen',
  print: 'Drucken',
  states: { current: 'Ist', future: 'Soll' },
  figures: 'Kennzahlen beider Prozesse',
  figure: 'Kennzahl',
  lead: valueStreamTexts.lead,
  cycle: valueStreamTexts.cycle,
  wait: valueStreamTexts.wait,
  valueAdd: valueStreamTexts.valueAdd,
  pce: valueStreamTexts.pce,
  stages: 'Abschnitte',
  difference: 'Unterschied',
  saving: {
    shorter: (time, percent) => `Die Durchlaufzeit ist ${time} kürzer (${percent}).`,
    longer: (time, percent) => `Die Durchlaufzeit ist ${time} länger (${percent}).`,
    same: 'Die Durchlaufzeit ist gleich.',
  },
  points: (signedPoints) => `${signedPoints} Punkte`,
  byStage: 'Unterschied je Abschnitt',
  greatest: (rows) => (rows === 1 ? 'Der einzige Unterschied' : `Die ${numberText(rows)} größten Unterschiede`),
  stage: 'Abschnitt',
  was: (name) => `bisher ${name}`,
  added: 'Neu',
  removed: 'Entfällt',
  unchanged: 'Unverändert',
  waits: (time) => `+ ${time} Wartezeit`,
  changed: (stages, of) =>
    `${countText(stages, 'Abschnitt unterscheidet', 'Abschnitte unterscheiden')} sich von ${numberText(of)}.`,
};

export const replaceStagesTexts: English['replaceStagesTexts'] = {
  use: 'Abschnitte dieses Durchlaufs übernehmen',
  ask: (map) => `Abschnitte von ${map} ersetzen?`,
  kept: (kept) =>
    `${countText(kept, 'Abschnitt behält seine Wartezeit und erhält', 'Abschnitte behalten ihre Wartezeiten und erhalten')} die Zeit dieses Durchlaufs.`,
  added: (stages) => `${countText(stages, 'Abschnitt ist', 'Abschnitte sind')} neu.`,
  removed: (names) => `Entfällt: ${listText(names)}.`,
  more: (stages) => `${numberText(stages)} weitere`,
  save: 'Abschnitte ersetzen',
  changed: 'Abschnitte des Prozesses ersetzt',
};

export const sampleMaps: English['sampleMaps'] = [
  {
    id: 'sample-coffee',
    name: 'Kaffee kochen',
    stages: [
      { name: 'Wasser kochen', secs: 60, waitSecs: 0, type: 'incidental' },
      { name: 'Bohnen mahlen', secs: 25, waitSecs: 0, type: 'incidental' },
      { name: 'Aufbrühen', secs: 40, waitSecs: 30, type: 'valuable' },
    ],
  },
  {
    id: 'sample-press',
    name: 'Teile pressen und prüfen',
    stages: [
      { name: 'Material holen', secs: 60, waitSecs: 0, type: 'waste' },
      { name: 'Presse beladen', secs: 30, waitSecs: 120, type: 'incidental' },
      { name: 'Pressen', secs: 45, waitSecs: 0, type: 'valuable' },
      { name: 'Entgraten', secs: 40, waitSecs: 600, type: 'valuable' },
      { name: 'Prüfen', secs: 25, waitSecs: 0, type: 'incidental' },
      { name: 'Verpacken', secs: 20, waitSecs: 1_800, type: 'valuable' },
    ],
  },
  {
    id: 'sample-order',
    name: 'Auftrag bis Lieferung',
    stages: [
      { name: 'Auftrag erfassen', secs: 300, waitSecs: 3_600, type: 'incidental' },
      { name: 'Ware kommissionieren', secs: 900, waitSecs: 14_400, type: 'valuable' },
      { name: 'Ware prüfen', secs: 240, waitSecs: 1_800, type: 'incidental' },
      { name: 'Verpacken', secs: 420, waitSecs: 3_600, type: 'valuable' },
      { name: 'Versenden', secs: 600, waitSecs: 28_800, type: 'valuable' },
    ],
  },
];

export const trendTexts: English['trendTexts'] = {
  title: 'Verlauf der Durchläufe',
  from: 'Vorher und nachher vergleichen ab',
  fromDate: 'oder ab dem Tag',
  charts: 'Diagramme des Verlaufs',
  picture: (runs) => `Gesamtzeiten von ${countText(runs, 'Durchlauf', 'Durchläufen')} der Reihe nach und zwei Mediane`,
  pcePicture: (runs) => `PCE von ${countText(runs, 'Durchlauf', 'Durchläufen')} der Reihe nach und zwei Mediane`,
  pce: 'PCE',
  before: 'Vorher',
  after: 'Nachher',
  medianOf: (part, runs) => `${part}, Median aus ${countText(runs, 'Durchlauf', 'Durchläufen')}`,
  none: '–',
  sinceRun: (nth) => `seit Durchlauf ${numberText(nth)}`,
  sinceDate: (day) => `seit ${day}`,
  less: (since, time, percent) => `${time} weniger ${since}, ${percent}.`,
  more: (since, time, percent) => `${time} mehr ${since}, ${percent}.`,
  same: (since) => `Keine Änderung ${since}.`,
  pcePoints: (signedPoints) => `PCE ${signedPoints} Prozentpunkte.`,
  noneBefore: 'Davor liegt kein Durchlauf.',
  noneAfter: 'Seitdem gibt es keinen Durchlauf.',
  limits: (runs, lower, upper) =>
    `Eingriffsgrenzen aus ${countText(runs, 'Durchlauf', 'Durchläufen')}: ${lower} bis ${upper}.`,
  within: 'Alle Durchläufe liegen darin: Sie schwanken nur zufällig.',
  beyond: (numbers) =>
    `Außerhalb: ${listText(numbers.map((nth) => `Durchlauf ${numberText(nth)}`))}. Bitte die Ursache suchen.`,
  asking: (runs, received) =>
    `${countText(runs, 'Durchlauf, der nicht auf diesem Gerät ist, wird', 'Durchläufe, die nicht auf diesem Gerät sind, werden')} beim Server erfragt …${received > 0 ? ` ${numberText(received)} erhalten.` : ''}`,
  fromServer: (runs, of) =>
    `${numberText(runs)} von diesen ${countText(of, 'Durchlauf', 'Durchläufen')} ${runs === 1 ? 'kommt' : 'kommen'} vom Server.`,
  isOffline: 'Offline.',
  coversNewest: (runs, shown) =>
    `${countText(runs, 'älterer Durchlauf ist', 'ältere Durchläufe sind')} nicht auf diesem Gerät. Der Verlauf zeigt die neuesten ${numberText(shown)}.`,
  coversHere: (runs, shown) =>
    `${countText(runs, 'Durchlauf ist', 'Durchläufe sind')} nicht auf diesem Gerät. Der Verlauf zeigt ${numberText(shown)}, die auf dem Gerät ${shown === 1 ? 'ist' : 'sind'}.`,
};
