/** The texts of handing over and of carrying, which few starts of the app need. */
import { language, type Language } from '../language.ts';

type TextModule = typeof import('../en/relay.ts');

const textLoaders: Record<Language, () => Promise<TextModule>> = {
  en: () => import('../en/relay.ts'),
  de: () => import('../de/relay.ts'),
};

export let handOverTexts: TextModule['handOverTexts'];
export let carryTexts: TextModule['carryTexts'];

export async function loadRelayTexts(): Promise<void> {
  ({ handOverTexts, carryTexts } = await textLoaders[language]());
}
