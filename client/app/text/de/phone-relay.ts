/** The German texts of carrying and of handing over on a phone. */
import type * as english from '../en/phone-relay.ts';
import { countText, numberText } from '../format.ts';

export const carryTexts: typeof english.carryTexts = {
  title: 'Für andere mitnehmen',
  why: 'Die Kamera auf eine Uhr oder ein Handy richten, die übergeben: Dieses Handy nimmt ihre Durchläufe mit und sendet sie. Sie sind versiegelt, niemand kann sie auf diesem Handy lesen.',
  open: 'Kamera öffnen',
  close: 'Kamera schließen',
  view: 'Bild der Kamera',
  aim: 'Das Handy etwa eine Handbreit vor den anderen Bildschirm halten.',
  progress: (have, total) => `${numberText(have)} von ${numberText(total)} Codes`,
  taken: 'Alle Codes gelesen',
  takenWhy: 'Die Uhr muss sie nicht mehr zeigen.',
  full: 'Auf diesem Handy ist kein Platz mehr. Es soll erst senden, was es hat.',
  notStored: 'Dieses Handy konnte es nicht speichern. Platz schaffen und die Kamera auf der Uhr lassen.',
  otherServer: 'Diese Uhr gehört zu einem anderen Server. Dieses Handy kann für sie nichts mitnehmen.',
  refused: 'Der Server kann diese Übergabe nicht öffnen. Alles bleibt auf der Uhr, die einmal ihr Netz braucht.',
  denied: 'Gemba darf die Kamera nicht benutzen. In den Einstellungen des Browsers für diese Seite erlauben.',
  noCamera: 'Keine Kamera gefunden.',
  noReader: 'Die Kamera konnte nicht gestartet werden. Schließen und noch einmal versuchen, möglichst mit Netz.',
  receipts: 'Codes für die Uhren',
  watch: (name) => `Übergabe ${name}`,
  typeThis: 'Auf der Uhr eingeben:',
  sent: 'Gesendet.',
  waiting: 'Wartet auf das Netz',
  taken_at: (ago) => `Übernommen ${ago}`,
  carried: 'Für andere auf diesem Handy',
  nothing: 'Im Moment nichts.',
  amount: 'Wie viel',
  messages: (messages, size) => `${countText(messages, 'Übergabe', 'Übergaben')}, ${size}`,
  oldest: 'Die älteste',
  limits: 'Höchstens 64 Übergaben und 16 MB, 14 Tage lang. Gesendet werden sie nach der eigenen Arbeit.',
  setting: 'Für andere mitnehmen',
  settingOn: 'Übergaben anderer annehmen',
  settingWhy: 'Ausgeschaltet nimmt das Handy nichts mehr an und sendet noch, was es hat.',
  off: 'Mitnehmen ist auf diesem Handy ausgeschaltet.',
};

const recordingsText = (recordings: number) => countText(recordings, 'Aufnahme', 'Aufnahmen');

export const giveHandOverTexts: typeof english.giveHandOverTexts = {
  title: 'An ein Handy übergeben',
  preparing: 'Wird vorbereitet …',
  nothing: 'Nichts zu übergeben',
  nothingWhy: 'Alles ist sicher auf dem Server.',
  what: (recordings, changes) => {
    const others = countText(changes, 'weitere Änderung', 'weitere Änderungen');
    if (recordings === 0) return countText(changes, 'Änderung', 'Änderungen');
    return changes === 0 ? recordingsText(recordings) : `${recordingsText(recordings)} und ${others}`;
  },
  finishing: 'Eine gerade beendete Aufnahme kann nach 10 Sekunden übergeben werden.',
  awaited: 'Schon übergeben. Die Antwort des Servers fehlt noch.',
  sealed: (size) => `${size}, versiegelt. Das andere Handy bringt es zum Server und kann es nicht lesen.`,
  kept: 'Alles bleibt auch auf diesem Handy, bis der Server es bestätigt hat. Das andere Handy behält es höchstens 14 Tage.',
  sameNetwork: 'Beide Handys müssen im selben WLAN sein oder im Hotspot des einen. Internet braucht es nicht.',
  start: 'Meinen Code zeigen',
  show: 'Diesen Code dem anderen Handy zeigen',
  showHow: 'Am anderen Handy: Abgleich, Für andere mitnehmen, Kamera öffnen.',
  code: 'QR-Code für das andere Handy',
  read: 'Seinen Code lesen',
  readTitle: 'Den anderen Code lesen',
  readHow: 'Über das andere Handy halten. Es zeigt einen Code, sobald es diesen gelesen hat.',
  showAgain: 'Meinen Code noch einmal zeigen',
  earlierCode: 'Dieser Code gehört zu einem früheren Versuch. Den eigenen Code noch einmal zeigen und lesen lassen.',
  otherGives: 'Das andere Handy übergibt auch. Dort „Für andere mitnehmen“ öffnen.',
  noCode: 'Das ist nicht der Code des anderen Handys.',
  connecting: 'Wird verbunden …',
  connectingWhy: 'Beide Bildschirme anlassen. Dauert es länger als eine halbe Minute: Sind beide Handys in einem Netz?',
  giving: 'Verbunden: Übergabe läuft',
  given: (given, recordings) => `${numberText(given)} von ${recordingsText(recordings)} übergeben`,
  givenBytes: (given, all) => `${given} von ${all} übergeben`,
  safe: (recordings) => `${recordingsText(recordings)} sicher auf dem Server`,
  awaits: 'Das andere Handy sendet jetzt. Auf die Antwort warten oder hier beenden.',
  stayClose: 'Beide Bildschirme anlassen.',
  stop: 'Beenden',
  again: 'Noch einmal beginnen',
  done: 'Fertig',
  ended: {
    safe: { title: 'Sicher auf dem Server', why: 'Das andere Handy wird nicht mehr gebraucht.' },
    attention: {
      title: 'Angekommen, bitte nachsehen',
      why: 'Der Server hat nicht alles angenommen. Unter Abgleich steht, was zu tun ist.',
    },
    handed: {
      title: 'Übergeben',
      why: 'Das andere Handy sendet es, wenn es ein Netz hat, innerhalb von 14 Tagen. Alles bleibt hier, bis der Server es bestätigt hat.',
    },
    lost: {
      title: 'Die Verbindung ist beendet',
      why: 'Noch einmal beginnen: Es geht weiter, wo es aufhörte, und nichts zählt doppelt. Alles ist noch hier.',
    },
    full: {
      title: 'Auf dem anderen Handy ist kein Platz',
      why: 'Den Rest einem weiteren Handy übergeben oder jenes zuerst senden lassen. Alles ist noch hier.',
    },
    other_server: {
      title: 'Nicht derselbe Server',
      why: 'Das andere Handy gehört zu einem anderen Server und kann hierfür nichts mitnehmen. Alles ist noch hier.',
    },
    too_new: {
      title: 'Verschiedene Versionen',
      why: 'Gemba auf beiden Handys öffnen, wo sie ein Netz haben, damit es aktualisiert wird. Alles ist noch hier.',
    },
    odd: { title: 'Das hat nicht geklappt', why: 'Noch einmal beginnen. Alles ist noch hier.' },
    refused: { title: 'Der Server nimmt es nicht an', why: 'Alles ist noch hier.' },
    unopened: {
      title: 'Der Server kann es nicht öffnen',
      why: 'Dieses Handy braucht einmal selbst seinen Server. Alles ist noch hier.',
    },
    no_network: {
      title: 'Kein Netz',
      why: 'WLAN einschalten oder den Hotspot eines der beiden Handys. Internet braucht es nicht.',
    },
    not_reached: {
      title: 'Die Handys erreichen einander nicht',
      why: 'Beide müssen im selben WLAN sein oder im Hotspot des einen. Ein WLAN für Gäste hält Handys oft auseinander.',
    },
    camera: { title: 'Die Kamera wird gebraucht', why: 'Dieses Handy muss den Code des anderen lesen.' },
    failed: { title: 'Übergeben ist nicht möglich', why: 'Alles ist noch hier.' },
  },
  needsNetwork: 'Dieses Handy braucht einmal seinen Server, bevor es übergeben kann.',
};

export const takeHandOverTexts: typeof english.takeHandOverTexts = {
  preparing: 'Code gelesen …',
  show: 'Jetzt diesen Code dem anderen Handy zeigen',
  showHow: 'Am anderen Handy „Seinen Code lesen“ tippen und es über diesen Bildschirm halten.',
  code: 'QR-Code für das andere Handy',
  waiting: 'Wartet auf das andere Handy …',
  readAgain: 'Seinen Code noch einmal lesen',
  taking: 'Wird übernommen',
  taken: (size) => `${size} übernommen`,
  sealed: 'Versiegelt: Niemand kann es auf diesem Handy lesen.',
  answered: 'Die Antwort des Servers ging zurück.',
  stayClose: 'Beide Bildschirme anlassen.',
  stop: 'Beenden',
  done: 'Fertig',
  again: 'Kamera öffnen',
  ended: {
    safe: {
      title: 'Übernommen und gesendet',
      why: 'Der Server hat geantwortet, und das andere Handy hat die Antwort.',
    },
    taken: {
      title: 'Übernommen',
      why: 'Dieses Handy sendet es, wenn es ein Netz hat, nach der eigenen Arbeit. Es behält es höchstens 14 Tage.',
    },
    nothing: { title: 'Nichts Neues', why: 'Das andere Handy hatte nichts mehr zu übergeben.' },
    lost: {
      title: 'Die Verbindung ist beendet',
      why: 'Was ganz hier ist, behält und sendet dieses Handy. Für den Rest beginnt das andere noch einmal.',
    },
    full: { title: 'Kein Platz mehr', why: 'Dieses Handy soll senden, was es hat. Der Rest bleibt auf dem anderen.' },
    other_server: {
      title: 'Nicht derselbe Server',
      why: 'Das andere Handy gehört zu einem anderen Server. Dieses Handy kann für es nichts mitnehmen.',
    },
    too_new: {
      title: 'Verschiedene Versionen',
      why: 'Gemba auf beiden Handys öffnen, wo sie ein Netz haben, damit es aktualisiert wird.',
    },
    odd: { title: 'Das hat nicht geklappt', why: 'Das andere Handy soll noch einmal beginnen.' },
    no_network: {
      title: 'Kein Netz',
      why: 'WLAN einschalten oder den Hotspot eines der beiden Handys. Internet braucht es nicht.',
    },
  },
};
