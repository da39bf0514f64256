/** The texts that only the desk shows. */
import { language, type Language } from './language.ts';
import { loadPhoneTexts } from './phone.ts';

type Source = typeof import('./en/desk.ts');

const sources: Record<Language, () => Promise<Source>> = {
  en: () => import('./en/desk.ts'),
  de: () => import('./de/desk.ts'),
};
const source = sources[language]();

export let deskTexts: Source['deskTexts'];

/** Loads the phone's texts, too, since the desk shows the phone's screens. */
export async function loadDeskTexts(): Promise<void> {
  await loadPhoneTexts();
  ({ deskTexts } = await source);
}
