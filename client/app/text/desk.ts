/** The texts that only the desk shows. */
import { language, type Language } from './language.ts';
import { loadPhoneTexts } from './phone.ts';

type TextModule = typeof import('./en/desk.ts');

const textLoaders: Record<Language, () => Promise<TextModule>> = {
  en: () => import('./en/desk.ts'),
  de: () => import('./de/desk.ts'),
};
const textModule = textLoaders[language]();

export let deskTexts: TextModule['deskTexts'];

/** Loads the phone's texts, too, since the desk shows the phone's screens. */
export async function loadDeskTexts(): Promise<void> {
  await loadPhoneTexts();
  ({ deskTexts } = await textModule);
}
