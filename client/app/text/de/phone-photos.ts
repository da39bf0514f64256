/** The texts of photos in German. The glossary is in texts.ts. */
import { countText, numberText } from '../format.ts';
import type { PhotoErrorCode } from './errors.ts';
import { setErrorTexts } from './texts.ts';

const photoErrorTexts: Record<PhotoErrorCode, string> = {
  photo_limit: 'Dieser Schritt hat schon 20 Fotos.',
  photo_unreadable: 'Dieses Bild ist nicht lesbar. Bitte ein anderes aufnehmen.',
};
setErrorTexts(photoErrorTexts);

const photosText = (photos: number): string => countText(photos, 'Foto', 'Fotos');
const wait = (photos: number): string => `${photosText(photos)} ${photos === 1 ? 'wartet' : 'warten'}`;

export const photoTexts: typeof import('../en/phone-photos.ts').photoTexts = {
  take: (step) => `Foto von ${step} aufnehmen`,
  ofStep: (step) => `Fotos von ${step}`,
  named: (nth, of, step) => `Foto ${numberText(nth)} von ${numberText(of)} zu ${step}`,
  saving: (photos) => `Speichert ${photosText(photos)}…`,
  saved: (photos, step) => `${photosText(photos)} von ${step} gespeichert.`,
  count: photosText,
  awaited: 'Noch nicht da',
  awaitedWhy: 'Das Foto kommt, sobald sein Gerät es gesendet hat und dieses ein Netz hat.',
  onlyPreview: 'Dies ist eine Vorschau. Das ganze Foto ist noch nicht da.',
  loading: 'Das Foto wird geladen…',
  zoomIn: 'Vergrößern',
  zoomOut: 'Verkleinern',
  whole: 'Ganzes Foto zeigen',
  previous: 'Voriges Foto',
  next: 'Nächstes Foto',
  remove: 'Foto löschen',
  removed: (step) => `Foto von ${step} gelöscht`,
  undoLater: 'Seitdem wurde etwas anderes angetippt. „Rückgängig“ nimmt jeweils einen Tipp zurück.',
  title: 'Fotos',
  onlyHere: 'Fotos nur auf diesem Gerät',
  allSent: 'Kein Foto wartet auf das Senden.',
  waiting: (held, policy, photos) => {
    if (held === 'offline') return `${wait(photos)} auf ein Netz`;
    if (held === 'quota') return `Das Konto hat keinen Platz für ${photosText(photos)}`;
    if (held === 'server') return `Dieser Server speichert keine Fotos. ${wait(photos)} auf diesem Gerät.`;
    if (held === 'sync') return `${wait(photos)}, bis alle Aufnahmen gesendet sind`;
    if (held === 'blocked') return `${wait(photos)}, bis dieses Gerät wieder synchronisieren darf`;
    if (held === 'retry') return `${wait(photos)} auf den nächsten Versuch. Der letzte ist misslungen.`;
    return policy === 'ask' ? `${wait(photos)} auf das Senden` : `${wait(photos)} auf WLAN`;
  },
  quotaWhat: (photos) =>
    `${photos === 1 ? 'Es bleibt' : 'Sie bleiben'} auf diesem Gerät. Bitte beim Administrator mehr Platz anfragen oder alte Durchläufe löschen.`,
  sending: (photos, megabytes) =>
    `${photosText(photos)} ${photos === 1 ? 'wird' : 'werden'} gesendet, noch ${megabytes} MB`,
  sendNow: 'Jetzt senden',
  refused: (photos) =>
    `Der Server hat ${photosText(photos)} abgelehnt. Bitte noch einmal senden. Hilft das nicht, dem Administrator Bescheid sagen.`,
  tryAgain: 'Noch einmal senden',
  lost: (photos) =>
    `Der Browser hat ${photosText(photos)} dieses Geräts gelöscht, bevor der Server ${photos === 1 ? 'es' : 'sie'} hatte. Bitte neu aufnehmen, wenn es noch geht.`,
  policy: 'Wann Fotos gesendet werden',
  policies: { always: 'Immer', wifi: 'Im WLAN', ask: 'Auf Wunsch' },
  policyWhy: 'Schritte und Zeiten werden immer sofort gesendet, eine Vorschau jedes Fotos bald danach.',
};
