/** The texts of pairing in German. */
import { countText } from '../format.ts';

type English = typeof import('../en/pairing.ts');

export const pairTexts: English['pairTexts'] = {
  title: { phone: 'Dieses Handy koppeln', wearable: 'Uhr koppeln', desk: 'Diesen Computer koppeln' },
  text: {
    phone: 'Den Code zeigt das Terminal des Servers oder ein gekoppeltes Handy unter Abgleich und Geräte.',
    wearable: 'Der Code steht im Handy unter Abgleich, Geräte.',
    desk: 'Den Code zeigt das Terminal des Servers oder ein gekoppeltes Gerät unter Geräte. Ein Computer belegt keinen Platz eines Handys.',
  },
  kept: 'Alle Daten auf diesem Handy bleiben erhalten.',
  notNow: 'Nicht jetzt',
  unsent: {
    title: 'Ungesendetes ist noch da',
    pending: (changes) => countText(changes, 'Änderung oder Aufnahme', 'Änderungen oder Aufnahmen'),
    recording: (steps) => `Eine laufende Aufnahme mit ${countText(steps, 'Schritt', 'Schritten')}`,
    attention: (changes) => countText(changes, 'abgelehnte Änderung', 'abgelehnte Änderungen'),
    whenSent: 'Es wird gesendet, sobald dieses Gerät mit demselben Konto gekoppelt ist.',
    none: 'Nichts zu sichern: Alles von diesem Gerät ist auf dem Server.',
    save: 'Als Datei sichern',
    continue: 'Ohne Koppeln weiter',
  },
  code: 'Kopplungscode',
  codeHint: '8 Buchstaben und Ziffern. Der Bindestrich ist nicht nötig.',
  name: 'Name dieses Geräts',
  nameHint: 'Damit lassen sich Geräte unterscheiden.',
  submit: 'Koppeln',
  asking: 'Wird geprüft…',
  join: {
    title: (account) => `${account} beitreten?`,
    text: {
      phone: 'Aufnahmen dieses Handys gehen an dieses Konto. Nur einem bekannten Konto beitreten.',
      wearable: 'Aufnahmen dieser Uhr gehen an dieses Konto.',
      desk: 'Änderungen und Aufnahmen dieses Computers gehen an dieses Konto. Nur einem bekannten Konto beitreten.',
    },
    submit: 'Beitreten',
    joining: 'Wird gekoppelt…',
  },
  done: 'Gekoppelt',
  problems: {
    empty: 'Bitte den Code eingeben.',
    unnamed: 'Bitte einen Namen für dieses Gerät eingeben.',
    broken: 'Dieser Link ist unvollständig. Bitte neu scannen oder den Code eingeben.',
    unreachable: 'Der Server ist nicht erreichbar. Bitte mit Verbindung noch einmal versuchen.',
    unauthorized: 'Dieses Gerät ist nicht mehr gekoppelt. Bitte zuerst neu koppeln.',
    pairing_code_invalid:
      'Dieser Code ist falsch, bereits benutzt oder älter als 10 Minuten. Bitte einen neuen Code holen.',
    seat_limit_reached:
      'Das Konto hat keinen freien Platz für ein Handy. Bitte ein unbenutztes Handy sperren oder einen Platz hinzufügen.',
    forbidden: 'Dieses Gerät darf das nicht. Bitte ein gekoppeltes Handy benutzen.',
    key_limit_reached: 'Das Konto kann keine weiteren Schlüssel haben. Bitte einen unbenutzten Schlüssel sperren.',
    pairing_code_limit_reached: 'Zu viele Kopplungscodes sind unbenutzt. Bitte in 10 Minuten noch einmal versuchen.',
    last_admin_key:
      'Das ist der letzte Schlüssel, der Geräte und Schlüssel verwalten kann. Bitte zuerst einen anderen erstellen.',
    account_mismatch:
      'Dieses Gerät behält nicht gesendete Arbeit eines anderen Kontos. Bitte einen Code jenes Kontos benutzen. Dieser Code wurde nicht verbraucht.',
    unavailable: 'Der Server kann gerade nicht antworten. Bitte gleich noch einmal versuchen.',
    rate_limited: (wait) => `Zu viele Versuche. Bitte ${wait} warten und dann noch einmal versuchen.`,
    other: (detail) => `Der Server lehnt ab: ${detail}`,
  },
  names: {
    phone: 'Handy',
    wearable: 'Uhr',
    android: 'Android-Handy',
    iphone: 'iPhone',
    ipad: 'iPad',
    desktop: 'Computer',
  },
};
