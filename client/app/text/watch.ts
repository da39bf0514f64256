/** The texts that only the watch shows. They are short, since the screen of a watch is small. */
import { language, type Language } from './language.ts';

type Source = typeof import('./en/watch.ts');

const sources: Record<Language, () => Promise<Source>> = {
  en: () => import('./en/watch.ts'),
  de: () => import('./de/watch.ts'),
};
const source = sources[language]();

export let watchTexts: Source['watchTexts'];

export async function loadWatchTexts(): Promise<void> {
  ({ watchTexts } = await source);
}
