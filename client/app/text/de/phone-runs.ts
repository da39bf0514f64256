/** The texts of runs and of their comparison in German. The glossary is in texts.ts. */
import { countText, listText, numberText, percentText } from '../format.ts';
import { texts } from './texts.ts';

type English = typeof import('../en/phone-runs.ts');

export const runsTexts: English['runsTexts'] = {
  title: 'Durchläufe',
  run: (nth) => `Durchlauf ${numberText(nth)}`,
  named: (nth, name) => (name ? `Durchlauf ${numberText(nth)}: ${name}` : `Durchlauf ${numberText(nth)}`),
  excluded: (reason) => `Ausgeschlossen: ${reason}`,
  steps: (steps) => countText(steps, 'Schritt', 'Schritte'),
  pce: (percent) => `PCE ${percent}`,
  custody: { device: texts.maps.pending, server: 'Sicher auf dem Server' },
  emptyTitle: 'Noch keine Durchläufe',
  emptyText:
    'Ein Durchlauf ist ein Gang durch den Prozess mit der Zeit jedes Schritts. Ab zwei Aufnahmen lassen sich die Zeiten vergleichen.',
  toMap: 'Zum Prozess',
  compare: 'Durchläufe vergleichen',
  selected: (selected, of) => `${numberText(selected)} von ${numberText(of)} gewählt`,
  selectAll: (newest, of) => (newest < of ? `Die neuesten ${numberText(newest)} wählen` : 'Alle wählen'),
  clear: 'Auswahl aufheben',
  tooFew: 'Mindestens 2 wählen',
  compareSelected: (runs) => `${numberText(runs)} Durchläufe vergleichen`,
};

export const serverOnlyRunsTexts: English['serverOnlyRunsTexts'] = {
  older: (runs) => `${countText(runs, 'älterer Durchlauf ist', 'ältere Durchläufe sind')} auf dem Server.`,
  more: (runs) => `${countText(runs, 'weiterer Durchlauf ist', 'weitere Durchläufe sind')} auf dem Server.`,
  loadOlder: 'Ältere Durchläufe laden',
  loadMore: 'Weitere Durchläufe laden',
  loading: 'Wird geladen …',
  offline: 'Offline. Sie lassen sich laden, sobald der Server erreichbar ist.',
  leftOut: (runs) =>
    `Diese Zeiten sind die der Durchläufe auf diesem Gerät. ${countText(runs, 'weiterer ist', 'weitere sind')} auf dem Server.`,
  runNotHere: 'Durchlauf nicht auf diesem Gerät',
  loadingCompared: (runs) =>
    `${countText(runs, 'gewählter Durchlauf wird', 'gewählte Durchläufe werden')} geladen. Bis dahin rechnen die Werte ohne ${runs === 1 ? 'ihn' : 'sie'}.`,
  comparedNotHere: (runs) =>
    `${countText(runs, 'gewählter Durchlauf ist', 'gewählte Durchläufe sind')} nicht auf diesem Gerät. Die Werte rechnen ohne ${runs === 1 ? 'ihn' : 'sie'}.`,
};

export const runTexts: English['runTexts'] = {
  gone: 'Durchlauf nicht gefunden',
  started: (when) => `Begonnen ${when}`,
  received: (when) => `Eingegangen ${when}`,
  deviceClock: (when) => `Die Uhr des Geräts ging falsch und zeigte ${when}. Der Beginn ist hier korrigiert.`,
  times: 'Zeiten des Durchlaufs',
  total: 'Gesamtzeit',
  steps: 'Schritte',
  estimated: 'Zeit geschätzt',
  estimatedWhy: 'Eine Zeit ist geschätzt, wenn die Uhr des Geräts nicht zuverlässig war.',
  on: (device) => `Aufgenommen auf ${device}`,
  onThisDevice: 'Auf diesem Gerät aufgenommen',
  byApiKey: 'Mit einem API-Schlüssel gesendet',
  photo: (nth) => `Foto ${numberText(nth)}`,
  photoNamed: (reference) => `Foto: ${reference}`,
  remove: 'Durchlauf löschen',
  removeAsk: (nth) => `Durchlauf ${numberText(nth)} löschen?`,
  removeText: (steps) =>
    `${steps === 1 ? 'Sein Schritt' : `Seine ${numberText(steps)} Schritte`} und Notizen werden auf allen Geräten und auf dem Server gelöscht. Das lässt sich nicht rückgängig machen. Der Prozess behält seine Abschnitte.`,
  removeNow: 'Endgültig löschen',
  keep: 'Durchlauf behalten',
  removed: (nth) => `Durchlauf ${numberText(nth)} gelöscht`,
};

export const runEditTexts: English['runEditTexts'] = {
  edit: 'Durchlauf bearbeiten',
  name: 'Name',
  nameHint: 'Zum Beispiel: Neue Vorrichtung.',
  tags: 'Schlagwörter',
  tagsHint: 'Durch Kommas getrennt, etwa Frühschicht, Linie 2.',
  note: 'Notiz',
  correct: 'Schritte korrigieren',
  asRecorded: 'Wie aufgenommen',
  correction: (revision) => `Schritte korrigiert, Fassung ${numberText(revision)}`,
  total: (time) => `Gesamt ${time}`,
  hint: 'Einen Schritt antippen, um Name oder Art zu ändern, ihn zu teilen, zu verbinden oder zu löschen.',
  restore: 'Schritte wie aufgenommen verwenden',
  save: 'Korrektur speichern',
  saved: 'Schritte korrigiert',
  meanwhile: 'Jemand hat diesen Durchlauf inzwischen korrigiert.',
  mine: 'Meine behalten',
  theirs: 'Andere nehmen',
  theirSteps: 'Die andere Korrektur',
  theirsTaken: 'Die andere Korrektur gilt',
  step: (order) => `Schritt ${numberText(order)}`,
  stage: 'Name des Schritts',
  unnamed: 'Bitte einen Namen für den Schritt eingeben.',
  apply: 'Übernehmen',
  splitAfter: (time) => `Teilen nach (von ${time})`,
  split: 'Schritt teilen',
  splitWrong: (example, time) => `Bitte eine Zeit wie ${example} eingeben, kürzer als ${time}.`,
  join: 'Mit dem nächsten Schritt verbinden',
  remove: 'Schritt löschen',
};

export const applyTimesTexts: English['applyTimesTexts'] = {
  ofRun: 'Zeiten dieses Durchlaufs für den Prozess verwenden',
  ofMedians: 'Mediane für den Prozess verwenden',
  ask: (map) => `Zeiten von ${map} ändern?`,
  update: (stage, before, after) => `${stage}: ${before} → ${after}`,
  addition: (stage, time) => `Neuer Abschnitt ${stage}: ${time}`,
  median: (time, runs) => `${time}, Median aus ${countText(runs, 'Durchlauf', 'Durchläufen')}`,
  kept: (stages) =>
    stages === 0
      ? 'Wartezeiten und Arten der Arbeit bleiben, wie sie sind.'
      : `${countText(stages, 'Abschnitt', 'Abschnitte')}, alle Wartezeiten und Arten der Arbeit bleiben, wie sie sind.`,
  same: 'Der Prozess hat diese Zeiten bereits.',
  save: 'Prozess ändern',
  changed: 'Zeiten des Prozesses geändert',
};

export const filterTexts: English['filterTexts'] = {
  title: 'Sortieren und filtern',
  sort: 'Sortieren nach',
  sorts: { number: 'Nummer', total: 'Gesamtzeit', date: 'Datum' },
  from: 'Von',
  to: 'Bis',
  tag: 'Schlagwort',
  device: 'Gerät',
  any: 'Alle',
  api: 'API-Schlüssel',
  unnamedDevice: (nth) => `Gerät ${numberText(nth)}`,
  excluded: 'Ausgeschlossene Durchläufe',
  exclusions: { all: 'Anzeigen', counted: 'Ausblenden', excluded: 'Nur diese' },
  none: 'Kein Durchlauf passt zum Filter.',
};

const goalText = ({ precision, confidence }: Record<'precision' | 'confidence', number>) =>
  `±${percentText(precision)} bei ${percentText(confidence)} Vertrauen`;

export const compareRunsTexts: English['compareRunsTexts'] = {
  title: 'Vergleich der Durchläufe',
  missing: (runs) =>
    countText(runs, 'gewählter Durchlauf ist nicht mehr vorhanden.', 'gewählte Durchläufe sind nicht mehr vorhanden.'),
  firstOnly: (runs) =>
    `Ein Vergleich hat höchstens ${countText(runs, 'Durchlauf', 'Durchläufe')}: Dies sind die ersten.`,
  emptyTitle: 'Nichts zu vergleichen',
  emptyText: 'Bitte zurückgehen und Durchläufe wählen.',
  allExcluded: 'Alle gewählten Durchläufe sind ausgeschlossen. Unten einen wählen, damit er wieder zählt.',
  variesMostList: (stages) => `Die ${countText(stages, 'Abschnitt', 'Abschnitte')}, die am meisten schwanken`,
  stagesTogether: (first, last) => `Abschnitte ${numberText(first)} bis ${numberText(last)} zusammen`,
  variesMost: (stage) => `${stage} schwankt am meisten`,
  variesFrom: ({ least, most, runs, longest }) =>
    `${least} bis ${most} in ${countText(runs, 'Durchlauf', 'Durchläufen')}, am längsten in Durchlauf ${numberText(longest)}`,
  chart: 'Diagramm der Durchläufe',
  picture: (runs) =>
    `${countText(runs, 'Balken', 'Balken')}, einer für jeden Durchlauf. Die Tabelle darunter zeigt dieselben Zahlen.`,
  nth: (nth) => `#${numberText(nth)}`,
  segment: (part) => `${part.stage}: ${part.time}\n${part.type}\nDurchlauf ${numberText(part.nth)}: ${part.total}`,
  quartiles: (time) =>
    `Ein Viertel der Durchläufe: bis ${time.p25}\nDie Hälfte der Durchläufe: bis ${time.median}\nDrei Viertel der Durchläufe: bis ${time.p75}`,
  caption: 'Die Zahlen in den Balken sind die Nummern der Abschnitte in der Liste darunter.',
  leftOut: 'Ausgeschlossen',
  total: (nth, total) => `Durchlauf ${numberText(nth)}: ${total}`,
  order: 'Balken sortieren nach',
  balance: ({ share, mean, longest }) =>
    `Austaktung ${percentText(share)}: die Durchläufe dauern im Mittel ${mean}, der längste ${longest}.`,
  stages: 'Kennzahlen der Abschnitte',
  median: 'Median',
  n: (runs) => `n = ${numberText(runs)}`,
  range: (least, most) => `${least} bis ${most}`,
  sd: (sd) => `SD ${sd}`,
  cv: (share) => `VK ${percentText(share)}`,
  oneRun: 'Ein Durchlauf sagt nichts über die Streuung.',
  alike: 'Kein Unterschied zwischen den Durchläufen',
  mean: ({ avg, confidence, low, high }) => `Mittel ${avg}, ${percentText(confidence)}-Bereich ${low} bis ${high}`,
  percentiles: ([p10, p25, p75, p90]) => `P10\u00a0${p10}, P25\u00a0${p25}, P75\u00a0${p75}, P90\u00a0${p90}`,
  more: (runs, goal) => `${countText(runs, 'weiterer Durchlauf', 'weitere Durchläufe')} für ${goalText(goal)}`,
  enough: (goal) => `Genug Durchläufe für ${goalText(goal)}`,
  over: (runs, goal) => `Über ${numberText(runs)} Durchläufe für ${goalText(goal)}`,
  outlier: (nth, time) => `Ausreißer ausschließen: Durchlauf ${numberText(nth)}, ${time}`,
  table: 'Zeiten der Abschnitte',
  showTable: 'Alle Zeiten als Tabelle',
  stage: 'Abschnitt',
  figures: ['n', 'Median', 'Min', 'Max', 'Mittel', 'SD', 'VK'],
  statistics: 'Perzentile und Vertrauensbereiche',
  statisticsHeads: (confidence) => [
    'n',
    'P10',
    'P25',
    'P75',
    'P90',
    'Mittel',
    `${percentText(confidence)}-Bereich des Mittels`,
    'Eingriffsgrenzen',
    'Geschätzt',
  ],
  inSome: (runs, of) => `in ${numberText(runs)} von ${numberText(of)} Durchläufen`,
  whole: 'Ganzer Durchlauf',
};

export const timeStudyTexts: English['timeStudyTexts'] = {
  takt: 'Taktzeit',
  taktHint: (example) => `Arbeitszeit geteilt durch Bedarf, etwa ${example}. Auf diesem Gerät gespeichert.`,
  taktWrong: (example) => `Bitte eine Zeit wie ${example} eingeben.`,
  taktLine: (time) => `Taktzeit ${time}`,
  overTakt: 'Über der Taktzeit',
  within: 'Alle Durchläufe liegen in der Taktzeit.',
  runsOver: (numbers, of) =>
    `${numberText(numbers.length)} von ${countText(of, 'Durchlauf', 'Durchläufen')} ${numbers.length === 1 ? 'liegt' : 'liegen'} über der Taktzeit: ${listText(
      numbers.map((nth) => `Durchlauf ${numberText(nth)}`),
    )}.`,
  stagesOver: (names) => `Abschnitte darüber: ${listText(names)}.`,
  precision: 'Genauigkeit',
  distance: 'Abstand vom wahren Mittel in %',
  distanceHint: 'Davon hängt ab, wie viele Durchläufe noch nötig sind.',
  distanceWrong: 'Bitte eine Zahl von 1 bis 50 eingeben.',
  confidence: 'Vertrauen',
  standard: 'Vorgabezeit',
  standardOf: (time) => `Vorgabezeit ${time}`,
  normalOf: (time) => `normal ${time}`,
  allowance: 'Zuschlag in %',
  allowanceHint: 'Für persönliche Bedürfnisse, Erholung und Störungen.',
  allowanceWrong: 'Bitte eine Zahl von 0 bis 90 eingeben.',
  allowanceOf: (share, basis) => `Zuschlag: ${percentText(share)} ${basis}.`,
  paceOf: (nth, pace) => `Durchlauf ${numberText(nth)} ${percentText(pace)}`,
  paces: (paces) => `Leistungsgrad: ${listText(paces)}, sonst ${percentText(1)}.`,
  basis: 'Anteil an',
  bases: { day: 'der Arbeitszeit', job: 'der Aufgabe' },
  ratings: 'Leistungsgrad der Durchläufe in %',
  ratingsHint: '100 ist normal, 110 ist ein Zehntel schneller.',
  ratingWrong: '30 bis 200',
};

export const exclusionTexts: English['exclusionTexts'] = {
  title: 'Ausgeschlossene Durchläufe',
  hint: 'Die Kennzahlen lassen diese Durchläufe aus. Einen wählen, damit er in diesem Vergleich zählt.',
  ask: (nth) => `Durchlauf ${numberText(nth)} ausschließen?`,
  text: 'Der Durchlauf bleibt erhalten. Vergleiche lassen alle seine Abschnitte aus, auch die mit üblicher Zeit. Ist nur ein Schritt falsch, besser diesen Schritt korrigieren.',
  took: (stage, time) => `${stage} dauerte ${time}.`,
  reason: 'Grund',
  reasonHint: 'Zum Beispiel: Der Kran ist ausgefallen.',
  noReason: 'Bitte einen Grund eingeben.',
  exclude: 'Durchlauf ausschließen',
  excluded: (nth) => `Durchlauf ${numberText(nth)} ausgeschlossen`,
  include: 'Durchlauf wieder zählen',
};
