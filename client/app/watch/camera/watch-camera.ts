/** The button that takes a photo, for a watch with a camera. more.tsx loads this file when its screen opens. */
import { language, type Language } from '../../text/language.ts';
import { TakePhotoRow } from './take-photo-row.tsx';

type TextModule = typeof import('../../text/en/watch-camera.ts');

export interface CameraRow {
  TakePhotoRow: typeof TakePhotoRow;
  texts: TextModule['cameraTexts'];
}

const textLoaders: Record<Language, () => Promise<TextModule>> = {
  en: () => import('../../text/en/watch-camera.ts'),
  de: () => import('../../text/de/watch-camera.ts'),
};

/** Resolves to undefined on a watch without a camera. A browser lists its cameras without asking a person. */
export async function findCamera(): Promise<CameraRow | undefined> {
  // A page that was loaded over plain HTTP has no `mediaDevices`.
  const devices = (await (navigator.mediaDevices as MediaDevices | undefined)?.enumerateDevices()) ?? [];
  if (!devices.some(({ kind }) => kind === 'videoinput')) return undefined;
  const { cameraTexts: texts } = await textLoaders[language]();
  return { TakePhotoRow, texts };
}
