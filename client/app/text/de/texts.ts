/**
 * German. Neutral workplace language: "Sie", or no person at all. One German word for each term of the app:
 *
 *   account          Konto              map              Prozess              seat             Platz
 *   allowance        Zuschlag           outlier          Ausreißer            stage            Abschnitt
 *   API key          API-Schlüssel      pace (rating)    Leistungsgrad        standard time    Vorgabezeit
 *   backup           Sicherung          pair             koppeln              step             Schritt
 *   current state    Ist-Zustand        pairing code     Kopplungscode        sync             Abgleich
 *   cycle time       Zykluszeit         PCE              PCE                  tag              Schlagwort
 *   device           Gerät              recording        Aufnahme             takt time        Taktzeit
 *   discard          verwerfen          recycle bin      Papierkorb           value stream     Wertstrom
 *   exclude          ausschließen       revoke           sperren              waiting time     Wartezeit
 *   future state     Soll-Zustand       run              Durchlauf            watch            Uhr
 *   lead time        Durchlaufzeit      recorded time    Zeit                 work type        Art der Arbeit
 *   valuable         wertschöpfend      incidental       unterstützend        waste            Verschwendung
 */
import type { DeviceErrorCode } from '../../../client.ts';
import { countText, numberText } from '../format.ts';

type Texts = typeof import('../en/texts.ts').texts;

/** The texts of errors that can keep the app from opening. The texts of other errors load later (errors.ts). */
export const openingErrorTexts = {
  unreachable: 'Der Server ist nicht erreichbar.',
  storage_lost: 'Der Speicher wurde geschlossen. Bitte Gemba neu öffnen.',
  storage_full: 'Der Speicher ist voll. Bitte Platz schaffen.',
  storage_timeout: 'Der Speicher antwortet nicht.',
  closed: 'Gemba wurde geschlossen. Bitte Gemba neu öffnen.',
  unsupported_platform: 'Bitte Gemba über https öffnen.',
} satisfies Partial<Record<DeviceErrorCode, string>>;

const errorTexts = new Map<string, string>(Object.entries(openingErrorTexts));

export function setErrorTexts(others: Record<string, string>): void {
  for (const [code, text] of Object.entries(others)) errorTexts.set(code, text);
}

export const texts: Texts = {
  app: 'Gemba',
  opening: 'Wird geladen…',
  back: 'Zurück',
  cancel: 'Abbrechen',
  close: 'Schließen',
  undo: 'Rückgängig',
  skip: 'Zum Inhalt',
  sections: 'Bereiche',
  centiminutes: (number) => `${number} Zentiminute${number === '1' ? '' : 'n'}`,

  errorText: ({ code, message }) => {
    if (code === undefined) return message;
    return errorTexts.get(code) ?? `Das wurde abgelehnt (${code}).`;
  },

  failed: {
    title: 'Etwas ging schief',
    text: 'Die Aufnahmen sind auf diesem Gerät.',
    again: 'Neu öffnen',
  },
  noStorage: {
    title: 'Der Browser kann nichts speichern',
    text: 'Bitte den privaten Modus verlassen oder Speichern erlauben.',
  },
  notOpened: {
    title: 'Gemba öffnet nicht',
    text: (reason) => `Bitte andere Tabs schließen. Grund: ${reason}`,
    again: 'Neu öffnen',
  },
  notFound: {
    title: 'Seite nicht gefunden',
    text: 'Hier ist keine Seite.',
  },

  workTypes: {
    valuable: 'Wertschöpfend',
    incidental: 'Unterstützend',
    waste: 'Verschwendung',
  },

  status: {
    label: 'Abgleich',
    safe: 'Alles auf dem Server',
    pending: (changes) => `${countText(changes, 'Änderung', 'Änderungen')} zu senden`,
    photos: (photos) => `${countText(photos, 'Foto', 'Fotos')} zu senden`,
    sending: (changes) => `${numberText(changes)} werden gesendet`,
    offline: 'Offline',
    offlinePending: (changes) => `Offline · ${countText(changes, 'Änderung', 'Änderungen')} zu senden`,
    waiting: 'Server ausgelastet',
    retrying: 'Neuer Versuch folgt',
    blocked: 'Abgleich angehalten',
    attention: (items) => countText(items, 'Problem', 'Probleme'),
    unpaired: 'Nicht mehr gekoppelt',
    storage: 'Speicherproblem',
  },

  maps: {
    title: 'Prozesse',
    new: 'Neuer Prozess',
    name: 'Name des Prozesses',
    create: 'Anlegen',
    figures: (stages, runs) =>
      `${countText(stages, 'Abschnitt', 'Abschnitte')} · ${countText(runs, 'Durchlauf', 'Durchläufe')}`,
    pending: 'Nur auf diesem Gerät',
  },

  map: { stages: 'Abschnitte', record: 'Aufnehmen' },

  record: {
    title: 'Aufnehmen',
    firstStepHint: 'Beim ersten Schritt tippen',
    step: (position) => `Schritt ${numberText(position)}`,
    nextStep: 'Nächster Schritt',
    firstStep: 'Erster Schritt',
    nextNamed: (name) => `Weiter: ${name}`,
    backToNamed: (name) => `Zurück zu: ${name}`,
    nextCycle: 'Nächster Zyklus',
    nextCycleNamed: (name) => `Nächster Zyklus: ${name}`,
    gap: 'Zwischen Zyklen',
    interruption: 'Unterbrechung',
    pause: 'Pause',
    paused: 'Pausiert',
    edit: (step) => `${step} bearbeiten`,
    undo: 'Rückgängig',
    finish: 'Beenden',
    discard: 'Aufnahme verwerfen',
    discarded: 'Aufnahme verworfen',
    finished: 'Beendet. Die Aufnahme wird gesendet.',
    more: 'Anderer Schritt, Notiz oder Verwerfen',
    resume: 'Fortsetzen',
    onDevice: (steps) => `${countText(steps, 'Schritt', 'Schritte')} auf dem Gerät`,
    stages: {
      merge: 'Der Prozess erhält neue Schritte und Zeiten',
      keep: 'Der Prozess bleibt, wie er ist',
      replace: 'Die Schritte werden Abschnitte',
    },
  },
};
