/** The German texts of the camera of a watch. */
import type { cameraTexts as English } from '../en/watch-camera.ts';

export const cameraTexts: typeof English = {
  take: (step) => `Foto von ${step}`,
  saving: 'Foto wird gespeichert…',
  saved: 'Foto gespeichert',
};
