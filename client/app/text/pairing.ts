/** The texts of pairing, which few starts of the app need. */
import { language, type Language } from './language.ts';

type TextModule = typeof import('./en/pairing.ts');

const textLoaders: Record<Language, () => Promise<TextModule>> = {
  en: () => import('./en/pairing.ts'),
  de: () => import('./de/pairing.ts'),
};
const textModule = textLoaders[language]();

export let pairTexts: TextModule['pairTexts'];

export async function loadPairTexts(): Promise<void> {
  ({ pairTexts } = await textModule);
}
