/**
 * The texts that all faces show, in the language of the device. Each file of this folder has its English texts in `en`
 * and its German texts in `de`. Only the chosen language is loaded. The load starts with this file, and `load…`
 * resolves when the texts are set. Top-level code of a file runs earlier, so it must not read texts.
 */
import { language, type Language } from './language.ts';

type TextModule = typeof import('./en/texts.ts');

const textLoaders: Record<Language, () => Promise<TextModule>> = {
  en: () => import('./en/texts.ts'),
  de: () => import('./de/texts.ts'),
};
const textModule = textLoaders[language]();

export let texts: TextModule['texts'];

export async function loadTexts(): Promise<void> {
  ({ texts } = await textModule);
}
