/** The texts for devices, pairing and keys in German. The glossary is in texts.ts. */
import { countText, numberText } from '../format.ts';

type English = typeof import('../en/phone-on-demand.ts');

/** The texts of many forms and tables. */
export const formTexts: English['formTexts'] = { save: 'Speichern', none: '–' };

export const deviceTexts: English['deviceTexts'] = {
  pairAgain: 'Neu koppeln',
  title: 'Geräte',
  waiting: 'Warten auf den Server…',
  again: 'Noch einmal versuchen',
  kinds: { phone: 'Handy', wearable: 'Uhr', desk: 'Computer' },
  pair: { phone: 'Handy koppeln', wearable: 'Uhr koppeln', desk: 'Computer koppeln' },
  thisDevice: 'Dieses Gerät',
  seen: (ago, isRevoked) => (ago === null ? 'noch nie verbunden' : `${isRevoked ? 'gesperrt' : 'verbunden'} ${ago}`),
  paired: (when) => `Gekoppelt ${when}`,
  renamed: (name) => `Umbenannt in ${name}`,
  revoke: 'Sperren',
  revokeTitle: (name) => `${name} sperren?`,
  revokeThis: 'Das ist das Gerät, das Sie gerade benutzen.',
  revokeText:
    'Es behält nicht gesendete Arbeit, kann aber nichts senden oder empfangen, bis es mit einem neuen Code gekoppelt wird.',
  revokeKeys: (keys) => {
    if (keys === 0) return 'Es hat keine API-Schlüssel erstellt. Seine unbenutzten Kopplungscodes werden ungültig.';
    if (keys === 1)
      return 'Der API-Schlüssel, den es erstellt hat, wird auch gesperrt. Seine unbenutzten Kopplungscodes werden ungültig.';
    const which = keys === undefined ? 'Die API-Schlüssel' : `Die ${numberText(keys)} API-Schlüssel`;
    return `${which}, die es erstellt hat, werden auch gesperrt. Seine unbenutzten Kopplungscodes werden ungültig.`;
  },
  isRevoked: (name) => `${name} ist gesperrt`,
  revoked: 'Gesperrt',
  filters: {
    search: 'Geräte suchen',
    health: 'Zustand',
    all: 'Alle',
    counted: (name, devices) => `${name} (${numberText(devices)})`,
    sort: 'Sortieren nach',
    sorts: {
      health: 'Probleme zuerst',
      name: 'Name',
      seen: 'Am längsten nicht gesehen',
      unsent: 'Meiste ungesendete Änderungen',
    },
    shown: (shown, of) => `${numberText(shown)} von ${countText(of, 'Gerät', 'Geräten')}`,
  },
  problems: (devices) =>
    devices === 0 ? 'Kein Gerät hat ein Problem' : `${countText(devices, 'Gerät hat', 'Geräte haben')} ein Problem`,
};

export const pairOtherDeviceTexts: English['pairOtherDeviceTexts'] = {
  how: {
    phone: ['Diesen Code mit der Kamera des anderen Handys scannen, oder dort ', ' öffnen und den Code eingeben.'],
    wearable: ['Auf der Uhr ', ' öffnen und diesen Code eingeben.'],
    desk: ['Am Computer ', ' öffnen und diesen Code eingeben. Ein Computer belegt keinen Platz eines Handys.'],
  },
  expiresIn: (time) => `Einmalcode, gültig noch ${time}`,
  qr: 'QR-Code des Kopplungslinks',
  waiting: {
    phone: 'Warten auf das Handy…',
    wearable: 'Warten auf die Uhr…',
    desk: 'Warten auf den Computer…',
  },
  unreachable: 'Der Server ist gerade nicht erreichbar. Der Code gilt weiter.',
  joined: (name) => `${name} ist gekoppelt`,
  expired: 'Dieser Code ist abgelaufen.',
  newCode: 'Neuen Code holen',
};

export const keyTexts: English['keyTexts'] = {
  title: 'API-Schlüssel',
  why: 'Mit einem Schlüssel kann ein anderes Programm, etwa ein ERP, dieses Konto benutzen. Schlüssel geheim halten.',
  newKey: 'Neuer Schlüssel',
  create: 'Schlüssel erstellen',
  name: 'Name des Schlüssels',
  nameHint: 'Der Name des Programms, das ihn benutzt.',
  unnamed: 'Bitte den Namen des Programms eingeben.',
  permissions: 'Rechte',
  scopes: {
    read: 'Alles lesen',
    record: 'Aufnahmen senden',
    write: 'Prozesse, Abschnitte und Durchläufe ändern',
    admin: 'Geräte und Schlüssel verwalten',
  },
  noScope: 'Bitte mindestens ein Recht wählen.',
  createdTitle: (name) => `${name} ist bereit`,
  secret: 'Geheimer Schlüssel',
  shownOnce: 'Den Schlüssel jetzt kopieren. Er wird nur einmal angezeigt.',
  copy: 'Kopieren',
  copied: 'Kopiert',
  done: 'Fertig',
  lastFour: (lastFour) => `gk_…${lastFour}`,
  created: (when, by) => `Erstellt ${when}${by ? ` ${by}` : ''}`,
  creators: {
    operator: 'vom Betreiber',
    device: (name) => `von ${name ?? 'einem Gerät'}`,
    key: (key) => (key ? `vom Schlüssel ${key.name} (gk_…${key.lastFour})` : 'von einem anderen Schlüssel'),
  },
  used: (ago, isRevoked) => (ago === null ? 'nie benutzt' : `${isRevoked ? 'gesperrt' : 'benutzt'} ${ago}`),
  revokeText: 'Programme, die ihn benutzen, funktionieren sofort nicht mehr. Das lässt sich nicht rückgängig machen.',
};
