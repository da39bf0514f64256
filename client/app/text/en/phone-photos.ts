/** The texts of photos: taking them, looking at them, and what holds them back. */
import type { PhotoPolicy, PhotosStatus } from '../../../client.ts';
import { countText, numberText } from '../format.ts';

const photosText = (photos: number): string => countText(photos, 'photo', 'photos');
const wait = (photos: number): string => `${photosText(photos)} ${photos === 1 ? 'waits' : 'wait'}`;

export const photoTexts = {
  take: (step: string) => `Take a photo of ${step}`,
  ofStep: (step: string) => `Photos of ${step}`,
  named: (nth: number, of: number, step: string) => `Photo ${numberText(nth)} of ${numberText(of)} of ${step}`,
  saving: (photos: number) => `Saving ${photosText(photos)}…`,
  saved: (photos: number, step: string) => `${photosText(photos)} of ${step} saved.`,
  count: photosText,
  awaited: 'Not here yet',
  awaitedWhy: 'The photo comes once its device has sent it and this one has a network.',
  onlyPreview: 'This is a preview. The full photo is not here yet.',
  loading: 'Loading the photo…',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  whole: 'Show the whole photo',
  previous: 'Previous photo',
  next: 'Next photo',
  remove: 'Delete photo',
  removed: (step: string) => `Photo of ${step} deleted`,
  undoLater: 'You tapped something else since. Undo takes back one tap at a time.',
  title: 'Photos',
  onlyHere: 'Photos only on this device',
  allSent: 'No photo waits to be sent.',
  waiting: (held: NonNullable<PhotosStatus['held_by']>, policy: PhotoPolicy, photos: number): string => {
    if (held === 'offline') return `${wait(photos)} for a network`;
    if (held === 'quota') return `The account has no room for ${photosText(photos)}`;
    if (held === 'server') return `This server keeps no photos. ${wait(photos)} on this device.`;
    if (held === 'sync') return `${wait(photos)} until all recordings are sent`;
    if (held === 'blocked') return `${wait(photos)} until this device may sync again`;
    if (held === 'retry') return `${wait(photos)} for the next try. The last one failed.`;
    return policy === 'ask' ? `${wait(photos)} until you send` : `${wait(photos)} for Wi-Fi`;
  },
  quotaWhat: (photos: number) =>
    `${photos === 1 ? 'It stays' : 'They stay'} on this device. Ask an admin for more room, or delete old runs with photos.`,
  sending: (photos: number, megabytes: string) => `Sending ${photosText(photos)}, ${megabytes} MB left`,
  sendNow: 'Send now',
  refused: (photos: number) =>
    `The server refused ${photosText(photos)}. Try again. If that does not help, tell an admin.`,
  tryAgain: 'Try again',
  lost: (photos: number) =>
    `The browser deleted ${photosText(photos)} of this device before the server had ${photos === 1 ? 'it' : 'them'}. Take ${photos === 1 ? 'it' : 'them'} again if you still can.`,
  policy: 'When photos are sent',
  policies: { always: 'Always', wifi: 'On Wi-Fi', ask: 'When I say so' } satisfies Record<PhotoPolicy, string>,
  policyWhy: 'Steps and times are always sent at once, and a preview of each photo soon after.',
};
