/** The texts that only the watch shows. They are short, since the screen of a watch is small. */
import { language, type Language } from './language.ts';

type TextModule = typeof import('./en/watch.ts');

const textLoaders: Record<Language, () => Promise<TextModule>> = {
  en: () => import('./en/watch.ts'),
  de: () => import('./de/watch.ts'),
};
const textModule = textLoaders[language]();

export let watchTexts: TextModule['watchTexts'];

export async function loadWatchTexts(): Promise<void> {
  ({ watchTexts } = await textModule);
}
