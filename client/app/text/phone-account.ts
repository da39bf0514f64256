/** The texts of the account screen, which a phone and a desk load on demand. */
import { language, type Language } from './language.ts';

type Source = typeof import('./en/phone-account.ts');

const sources: Record<Language, () => Promise<Source>> = {
  en: () => import('./en/phone-account.ts'),
  de: () => import('./de/phone-account.ts'),
};
const source = sources[language]();

export let accountTexts: Source['accountTexts'];

export async function loadAccountTexts(): Promise<void> {
  ({ accountTexts } = await source);
}
