/** The texts of exports, prints and imports in German. The glossary is in texts.ts. */
import { countText, listText, numberText } from '../format.ts';

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
  loading: 'Wird geladen …',
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

export const importTexts: English['importTexts'] = {
  title: 'Aufnahmen importieren',
  intro:
    'Bitte eine CSV-Datei mit einer Zeile je Schritt wählen, etwa eine, die Gemba exportiert hat. Vor der Bestätigung ändert sich nichts.',
  choose: 'Datei wählen',
  other: 'Andere Datei wählen',
  drop: 'Oder die Datei hier ablegen.',
  checking: 'Die Datei wird geprüft …',
  list: (parts) => listText(parts),
};
