/**
 * The texts that all faces show, in the language of the device. Each file of this folder has its English in `en` and
 * its German in `de`. Only the chosen language is loaded. The download starts with this file; `load…` sets the texts,
 * after which they may be read. Code that runs while its file is loaded cannot read them.
 */
import type { RecordedStep } from '../../client.ts';
import { language, type Language } from './language.ts';

export type WorkType = RecordedStep['work_type'];
type Source = typeof import('./en/texts.ts');

const sources: Record<Language, () => Promise<Source>> = {
  en: () => import('./en/texts.ts'),
  de: () => import('./de/texts.ts'),
};
const source = sources[language]();

export let texts: Source['texts'];

export async function loadTexts(): Promise<void> {
  ({ texts } = await source);
}
