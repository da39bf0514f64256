/** The texts of the account screen, which a phone and a desk load on demand. */
import { language, type Language } from './language.ts';

type TextModule = typeof import('./en/phone-account.ts');

const textLoaders: Record<Language, () => Promise<TextModule>> = {
  en: () => import('./en/phone-account.ts'),
  de: () => import('./de/phone-account.ts'),
};
const textModule = textLoaders[language]();

export let accountTexts: TextModule['accountTexts'];

export async function loadAccountTexts(): Promise<void> {
  ({ accountTexts } = await textModule);
}
