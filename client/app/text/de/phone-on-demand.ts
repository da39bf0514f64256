/** The texts of the phone's screens that load on demand, in German. The glossary is in texts.ts. */
import { errorTexts } from './errors.ts';
import { countText, numberText } from '../format.ts';
import { setErrorTexts, texts } from './texts.ts';
import { undoneTexts } from './undone.ts';

setErrorTexts(errorTexts);

export { attentionTexts } from './phone-attention.ts';
export { deviceTexts, formTexts, keyTexts, pairOtherDeviceTexts } from './phone-devices.ts';
export { photoTexts } from './phone-photos.ts';

type English = typeof import('../en/phone-on-demand.ts');

export const stageTexts: English['stageTexts'] = {
  add: 'Abschnitt hinzufügen',
  addNow: 'Hinzufügen',
  move: (name) => `${name} verschieben`,
  moveHint: 'Ziehen oder die Pfeiltasten drücken.',
  emptyTitle: 'Noch keine Abschnitte',
  emptyText:
    'Den Prozess einmal aufnehmen: Jeder Schritt wird ein Abschnitt mit seiner Zeit. Oder die Abschnitte von Hand hinzufügen.',
  moved: (name, position, of) => `${name} auf Position ${numberText(position)} von ${numberText(of)} verschoben`,
  edit: 'Abschnitt bearbeiten',
  name: 'Name des Abschnitts',
  nameHint: 'Zum Beispiel: Pressen oder Warten auf den Kran.',
  cycle: 'Zykluszeit',
  wait: 'Wartezeit davor',
  unit: (time) => `${time}: Einheit`,
  units: { clock: 'm:ss', centiminute: 'cmin', second: 's', minute: 'min', hour: 'h', day: 'Tage' },
  workType: 'Art der Arbeit',
  remove: 'Abschnitt löschen',
  removed: (name) => `${name} gelöscht`,
  up: 'Nach oben',
  down: 'Nach unten',
  to: 'Neue Position',
  moveTo: 'Verschieben',
  noPosition: (stages) => `Bitte eine Zahl von 1 bis ${numberText(stages)} eingeben.`,
  at: (position, of) => `Position ${numberText(position)} von ${numberText(of)}`,
  unnamed: 'Bitte einen Namen für den Abschnitt eingeben.',
  noTime: (example) => `Bitte eine Zeit wie ${example} oder eine Zahl ab 0 eingeben.`,
};

export const foldedListTexts: English['foldedListTexts'] = {
  search: 'Nach Name oder Nummer suchen',
  found: (found, of) => `${numberText(found)} von ${numberText(of)}`,
  groups: (list) => `${list} in Gruppen`,
  range: (first, last) => `${numberText(first)} bis ${numberText(last)}`,
  fromTo: (first, last) => `${first} … ${last}`,
  more: (more) => `${numberText(more)} weitere. Bitte einen Teil des Namens eingeben.`,
  earlier: (steps) => `${countText(steps, 'früheren Schritt', 'frühere Schritte')} zeigen`,
};

export const recordTexts: English['recordTexts'] = {
  nothing: 'Keine Aufnahme läuft',
  choose: 'Bitte Prozess wählen.',
  steps: 'Bisherige Schritte',
  undone: undoneTexts,
  ask: {
    partial: (stages, of) => `${numberText(stages)} von ${numberText(of)} Abschnitten aufgenommen`,
    future: 'Dieser Prozess ist ein Soll-Zustand',
    modes: {
      keep: 'Nur dieser Durchlauf',
      merge: 'Prozess aktualisieren',
      replace: 'Abschnitte ersetzen',
    },
  },
  which: 'Anderer Schritt oder Notiz',
  findName: 'Schritt oder neuer Name',
  newName: 'Name des nächsten Schritts',
  note: (step) => `Notiz zu ${step}`,
  start: 'Schritt beginnen',
  addNote: 'Notiz hinzufügen',
  finishTitle: 'Aufnahme beenden',
  modeHints: {
    keep: 'Der Prozess bleibt, wie er ist.',
    merge: 'Aufgenommene Abschnitte erhalten die neuen Zeiten. Alle anderen bleiben.',
    replace: 'Alle anderen Abschnitte und alle Wartezeiten werden entfernt.',
  },
  end: (time) => `Endet nach ${time}`,
  moveEnd: {
    clock: {
      minus: '−1 s',
      plus: '+1 s',
      earlier: '−1 s, 1 Sekunde früher beenden',
      later: '+1 s, 1 Sekunde später beenden',
    },
    centiminute: {
      minus: '−1 cmin',
      plus: '+1 cmin',
      earlier: '−1 cmin, 1 Zentiminute früher beenden',
      later: '+1 cmin, 1 Zentiminute später beenden',
    },
  },
  gap: 'Zeit zwischen den Zyklen als Schritt',
  discarded: 'Zuletzt verworfen',
  resume: (name, discardedAt) => `${name} fortsetzen, ${discardedAt}`,
};

export const missingRecordTexts: English['missingRecordTexts'] = {
  title: 'Prozess nicht gefunden',
  home: 'Zu den Prozessen',
  map: 'Dieser Prozess wurde gelöscht, oder der Link ist falsch.',
  run: 'Dieser Durchlauf wurde gelöscht, oder der Link ist falsch.',
  kept: 'Nichts ist verloren: Die Arbeit steht auf diesem Gerät unter „Probleme“.',
};

export const syncTexts: English['syncTexts'] = {
  title: 'Abgleich',
  pairingLost:
    'Der Browser hat die Daten dieses Geräts gelöscht. Nicht gesendete Arbeit ist noch da und wird nach dem Koppeln gesendet.',
  now: 'Jetzt abgleichen',
  phases: {
    offline:
      'Keine Verbindung zum Server. Weiterarbeiten ist möglich: Alles wird hier gespeichert und später gesendet.',
    idle: 'Verbunden. Änderungen werden sofort gesendet.',
    syncing: 'Abgleich läuft…',
    waiting: 'Der Server ist ausgelastet oder gestört. Gemba versucht es automatisch wieder.',
    blocked: 'Der Abgleich ist angehalten. Bitte den Grund ansehen.',
  },
  answers: {
    offline: 'Offline. Alles wird gesendet, sobald der Server erreichbar ist.',
    idle: 'Alles ist auf dem neuesten Stand.',
    syncing: 'Der Abgleich läuft noch…',
    waiting: 'Der Server ist ausgelastet. Gemba versucht es automatisch wieder.',
    blocked: 'Der Abgleich ist angehalten. Der Grund steht auf dieser Seite.',
  },
  progress: (done, total) =>
    total === null ? `bisher ${numberText(done)}` : `${numberText(done)} von ${numberText(total)}`,
  inProgress: 'Läuft',
  pending: texts.maps.pending,
  oldest: 'Älteste nicht gesendete Änderung',
  last: 'Letzter Abgleich',
  never: 'Noch nie',
  error: 'Grund',
  attention: 'Vom Server abgelehnt',
  seeAttention: 'Probleme ansehen',
  handOver: 'An ein Handy übergeben',
  carry: 'Für andere mitnehmen',
  install: 'Gemba auf den Startbildschirm legen',
  installWhy: 'Gemba öffnet sich dann wie jede andere App, und der Browser löscht die Daten nicht so leicht.',
  installNow: 'Installieren',
  installByHand:
    'In Safari auf Teilen tippen, dann auf Zum Home-Bildschirm. Vorher hier abgleichen: Dort muss Gemba neu gekoppelt werden.',
  times: 'Zeiten auf diesem Gerät',
  timeNotations: { clock: 'Minuten und Sekunden', centiminute: 'Zentiminuten (cmin)' },
  timesExample: (time) => `Eineinviertel Minuten stehen als ${time} da.`,
  runsKept: 'Durchläufe auf diesem Gerät',
  runsKeptChoices: { 500: 'Die neuesten 500', 2000: 'Die neuesten 2.000', 10000: 'Die neuesten 10.000' },
  runsKeptWhy: 'Ältere werden beim Öffnen vom Server geladen. Nicht gesendete bleiben immer hier.',
  runsKeptNotStored: 'Der Browser speichert dies nicht.',
  reopen: 'Gemba neu öffnen',
  devtools: 'Was dieses Gerät tut',
  devtoolsSetting: 'Zeigen, was dieses Gerät tut',
  devtoolsWhy:
    'Für Menschen, die bei Gemba helfen: nicht gesendete Änderungen, Runden des Abgleichs, der Speicher und eine Datei für den Support.',
  devtoolsNotLoaded: 'Das konnte nicht geladen werden. Bitte mit Netz noch einmal versuchen.',
  backup: 'Sicherung auf diesem Gerät',
  backups: {
    kept: 'Aktuell: Nicht gesendete Arbeit ist auf diesem Gerät doppelt gespeichert.',
    behind: 'Nicht aktuell. Die nächste Änderung aktualisiert sie.',
    none: 'Dieser Browser hat keinen Platz für eine Sicherung.',
  },
};

export const sampleRecordingTexts: English['sampleRecordingTexts'] = {
  offer: 'Ausprobieren: Kaffee kochen, 3 Schritte',
  why: 'Legt einen kleinen Prozess an und beginnt seine Aufnahme. Er lässt sich löschen wie jeder andere.',
  name: 'Kaffee kochen',
  stages: [
    { stage: 'Wasser kochen', work_type: 'incidental' },
    { stage: 'Bohnen mahlen', work_type: 'incidental' },
    { stage: 'Aufbrühen', work_type: 'valuable' },
  ],
};

export const untrustedCertificateTexts: English['untrustedCertificateTexts'] = {
  title: 'Dieses Handy vertraut dem Server noch nicht',
  text: 'Gemba funktioniert, solange der Server erreichbar ist, kann aber ohne Verbindung nicht öffnen. Bitte einmal das Zertifikat des Servers installieren.',
  install: 'So wird es installiert',
};

export const reportTexts: typeof import('../en/phone-on-demand.ts').reportTexts = {
  title: 'Was dieses Gerät meldet',
  why: 'Der Server bekommt das bei jedem Abgleich, und Administratoren des Kontos sehen es. Es enthält keinen Ort, keine Adresse und keine Zeiten einer Person.',
  battery: 'Akku',
  storage: 'Freier Speicher',
  platform: 'Läuft auf',
  version: 'Version',
  percent: (share) => `${numberText(Math.round(share * 100))} %`,
  minutes: (minutes) => `${numberText(minutes)} min`,
  health: {
    stuck: 'Abgleich steckt fest',
    silent: 'Lange nicht gesehen',
    stale: 'Hat Ungesendetes',
    outdated: 'Braucht ein Update',
    ok: 'In Ordnung',
  },
  unsent: (changes) => `${numberText(changes)} ungesendet`,
  refused: (changes) => `${numberText(changes)} abgelehnt`,
  asOf: (ago) => `Stand ${ago}`,
  reported: (ago) => `Das hat es ${ago} gemeldet.`,
  nothing: 'Es hat noch nichts gemeldet.',
  pending: 'Nicht gesendete Änderungen',
  backup: 'Sicherung',
  backups: { kept: 'Aktuell', behind: 'Nicht aktuell', none: 'Keine' },
};
