/** The phone's texts, except for the screens that load on demand (phone-on-demand.ts). */
import { language, type Language } from './language.ts';

type TextModule = typeof import('./en/phone.ts');

const textLoaders: Record<Language, () => Promise<TextModule>> = {
  en: () => import('./en/phone.ts'),
  de: () => import('./de/phone.ts'),
};
const textModule = textLoaders[language]();

export let phoneTexts: TextModule['phoneTexts'];

export async function loadPhoneTexts(): Promise<void> {
  ({ phoneTexts } = await textModule);
}
