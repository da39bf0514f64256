/** The texts of carrying and of handing over on a phone, which few starts need. */
import { language, type Language } from '../language.ts';

type TextModule = typeof import('../en/phone-relay.ts');

const textLoaders: Record<Language, () => Promise<TextModule>> = {
  en: () => import('../en/phone-relay.ts'),
  de: () => import('../de/phone-relay.ts'),
};

export let carryTexts: TextModule['carryTexts'];
export let giveHandOverTexts: TextModule['giveHandOverTexts'];
export let takeHandOverTexts: TextModule['takeHandOverTexts'];

export async function loadRelayTexts(): Promise<void> {
  ({ carryTexts, giveHandOverTexts, takeHandOverTexts } = await textLoaders[language]());
}
