/** The phone's texts, except for the screens that load on demand (phone-on-demand.ts). */
import { language, type Language } from './language.ts';

type Source = typeof import('./en/phone.ts');

const sources: Record<Language, () => Promise<Source>> = {
  en: () => import('./en/phone.ts'),
  de: () => import('./de/phone.ts'),
};
const source = sources[language]();

export let phoneTexts: Source['phoneTexts'];

export async function loadPhoneTexts(): Promise<void> {
  ({ phoneTexts } = await source);
}
