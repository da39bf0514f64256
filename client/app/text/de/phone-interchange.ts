/** The texts of exports, prints and imports in German. The glossary is in texts.ts. */
import { countText, listText, numberText } from '../format.ts';
import { importProblems, importWarnings } from './import-problems.ts';

type English = typeof import('../en/phone-interchange.ts');

export const exportTexts: English['exportTexts'] = {
  runs: 'Durchläufe exportieren',
  run: 'Durchlauf exportieren',
  short: 'Exportieren',
  which: 'Welche Durchläufe',
  sets: {
    all: (runs) => `Alle (${numberText(runs)})`,
    selected: (runs) => `Gewählte (${numberText(runs)})`,
    shown: (runs) => `Gefilterte (${numberText(runs)})`,
    one: (runs) => countText(runs, 'Durchlauf', 'Durchläufe'),
  },
  format: 'Art der Datei',
  formats: {
    'steps.xlsx': { name: 'Tabelle', hint: 'Eine Zeile je Schritt, für Tabellenprogramme (XLSX)' },
    'steps.csv': { name: 'Einfache Tabelle der Schritte', hint: 'Eine Zeile je Schritt (CSV)' },
    'runs.csv': { name: 'Einfache Tabelle der Durchläufe', hint: 'Eine Zeile je Durchlauf mit Summen (CSV)' },
    'log.xes': { name: 'Process-Mining', hint: 'Ein Ereignis je Schritt (XES)' },
    'log.ocel.json': {
      name: 'Process-Mining mit Objekten',
      hint: 'Prozesse, Durchläufe und Geräte als Objekte (OCEL)',
    },
  },
  content: (runs, steps) =>
    `${countText(runs, 'Durchlauf', 'Durchläufe')} mit ${countText(steps, 'Schritt', 'Schritten')}`,
  nothing: 'Es gibt keinen Durchlauf zu exportieren.',
  tooLarge: (stepsMax) =>
    `Diese Art von Datei hat höchstens ${numberText(stepsMax)} Schritte. Bitte eine andere Art oder weniger Durchläufe wählen.`,
  unsent: (runs) =>
    `${countText(runs, 'Durchlauf hat', 'Durchläufe haben')} Arbeit, die noch nicht auf dem Server ist. Sie steht mit in der Datei. Die Nummer eines neuen Durchlaufs kann sich noch ändern.`,
  refused: (recordings) =>
    `${countText(recordings, 'Aufnahme wurde', 'Aufnahmen wurden')} abgelehnt und ${recordings === 1 ? 'fehlt' : 'fehlen'} in der Datei.`,
  onServer: (runs) =>
    `${countText(runs, 'Durchlauf ist', 'Durchläufe sind')} nur auf dem Server und ${runs === 1 ? 'fehlt' : 'fehlen'} in der Datei.`,
  load: (runs) => `${countText(runs, 'Durchlauf', 'Durchläufe')} laden`,
  stop: 'Laden beenden',
  notLoaded: 'Der Server hat jetzt keine weiteren davon für dieses Gerät.',
  offline: 'Offline. Sie lassen sich laden, sobald der Server erreichbar ist.',
  make: 'Datei erstellen',
  making: 'Die Datei wird erstellt …',
  ready: 'Die Datei ist fertig',
  facts: (content, size) => `${content}, ${size}`,
  save: 'Datei speichern',
  share: 'Teilen',
  notShared: 'Die Datei ließ sich nicht teilen. Bitte speichern.',
  fileName: { run: (nth) => `Durchlauf ${nth}` },
};

export const printTexts: English['printTexts'] = { print: 'Drucken' };

export const pictureTexts: English['pictureTexts'] = {
  title: 'Bild des Wertstroms',
  open: 'Bild speichern',
  kinds: { png: 'Bild (PNG)', svg: 'Zeichnung (SVG)' },
  content: (stages) => countText(stages, 'Abschnitt', 'Abschnitte'),
  fileName: (kind) => `Wertstrom.${kind}`,
};

export const importTexts: English['importTexts'] = {
  title: 'Aufnahmen importieren',
  intro:
    'Übernimmt Aufnahmen aus einer CSV-Datei mit einer Zeile je Schritt, etwa aus einer, die Gemba exportiert hat. Die Datei wird zuerst geprüft. Vor der Bestätigung ändert sich nichts.',
  choose: 'Datei wählen',
  other: 'Andere Datei wählen',
  drop: 'Oder die Datei hier ablegen.',
  unreadable: 'Die Datei ließ sich nicht lesen. Bitte erneut wählen.',
  tooLarge: 'Eine Datei hat höchstens 8 MB. Bitte in mehrere teilen.',
  checking: 'Die Datei wird geprüft …',
  progress: {
    reading: (percent) => `Die Datei wird gelesen … ${percent}`,
    checking: (percent) => `Die Aufnahmen werden geprüft … ${percent}`,
    saving: (percent) => `Die Aufnahmen werden importiert … ${percent}`,
  },
  cancel: 'Prüfung abbrechen',
  cancelled: 'Die Prüfung wurde abgebrochen. Nichts wurde importiert.',
  new: 'Neue Aufnahmen',
  there: 'Schon vorhanden',
  steps: 'Schritte',
  maps: 'Prozesse der Datei',
  recordings: (recordings) => countText(recordings, 'Aufnahme', 'Aufnahmen'),
  newMap: 'Neuer Prozess',
  nothingNew: 'Alle Aufnahmen dieser Datei sind schon vorhanden. Es gibt nichts zu importieren.',
  ignored: (columns) => `Aus diesen Spalten wird nichts übernommen: ${listText(columns)}.`,
  start: (recordings) => `${countText(recordings, 'Aufnahme', 'Aufnahmen')} importieren`,
  importing: (recordings) => `${countText(recordings, 'Aufnahme wird', 'Aufnahmen werden')} importiert …`,
  done: (recordings, maps) =>
    maps === 0
      ? `${countText(recordings, 'Aufnahme', 'Aufnahmen')} importiert.`
      : `${countText(recordings, 'Aufnahme', 'Aufnahmen')} importiert, ${countText(maps, 'Prozess', 'Prozesse')} angelegt.`,
  wrong: 'Was nicht stimmt',
  errors: (errors) =>
    `${countText(errors, 'Fehler', 'Fehler')} in dieser Datei. Importiert wird erst, wenn die Datei stimmt.`,
  place: (line, column) => (column === null ? `Zeile ${numberText(line)}` : `Zeile ${numberText(line)}, ${column}`),
  problem: ({ code, params }) => {
    const textOf: (values: never) => string = importProblems[code];
    return textOf(params as never);
  },
  warnings: 'Bitte prüfen',
  warning: ({ code, params }) => {
    const textOf: (values: never) => string = importWarnings[code];
    return textOf(params as never);
  },
  moreWarnings: (warnings) => `Und ${countText(warnings, 'weiterer Hinweis', 'weitere Hinweise')}.`,
  moreErrors: (errors) => `Und ${countText(errors, 'weiterer', 'weitere')}.`,
};
