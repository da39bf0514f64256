/** The texts of pairing, which few starts of the app need. */
import { language, type Language } from './language.ts';

type Source = typeof import('./en/pairing.ts');

const sources: Record<Language, () => Promise<Source>> = {
  en: () => import('./en/pairing.ts'),
  de: () => import('./de/pairing.ts'),
};
const source = sources[language]();

export let pairTexts: Source['pairTexts'];

export async function loadPairTexts(): Promise<void> {
  ({ pairTexts } = await source);
}
