/**
 * The texts that only the desk shows. The script of the language has this file on every page, so that a desk's texts load
 * early; on the other pages nothing loads.
 */
import { language, type Language } from './language.ts';
import { loadPhoneTexts } from './phone.ts';

type TextModule = typeof import('./en/desk.ts');

const textLoaders: Record<Language, () => Promise<TextModule>> = {
  en: () => import('./en/desk.ts'),
  de: () => import('./de/desk.ts'),
};
const isDesk = typeof location !== 'undefined' && /^\/desk(?:\/|$)/.test(location.pathname);
const textModule = isDesk ? textLoaders[language]() : undefined;

export let deskTexts: TextModule['deskTexts'];

/** Loads the phone's texts, too, since the desk shows the phone's screens. */
export async function loadDeskTexts(): Promise<void> {
  await loadPhoneTexts();
  ({ deskTexts } = await (textModule ?? textLoaders[language]()));
}
