/** The button of the camera on a watch that has one. It is loaded when a person looks for it. */
import { language, type Language } from '../../text/language.ts';
import { TakePhotoRow } from './take-photo-row.tsx';

type TextModule = typeof import('../../text/en/watch-camera.ts');

export interface Camera {
  TakePhotoRow: typeof TakePhotoRow;
  texts: TextModule['cameraTexts'];
}

const textLoaders: Record<Language, () => Promise<TextModule>> = {
  en: () => import('../../text/en/watch-camera.ts'),
  de: () => import('../../text/de/watch-camera.ts'),
};

/** Resolves to undefined on a watch without a camera. A browser lists its cameras without asking a person. */
export async function findCamera(): Promise<Camera | undefined> {
  // A page that came over plain HTTP has no list.
  const devices = (await (navigator.mediaDevices as MediaDevices | undefined)?.enumerateDevices()) ?? [];
  if (!devices.some(({ kind }) => kind === 'videoinput')) return undefined;
  const { cameraTexts: texts } = await textLoaders[language]();
  return { TakePhotoRow, texts };
}
