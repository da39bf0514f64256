/** Loads the watch's texts of handing over on demand, since few starts need them. */
import { language, type Language } from '../language.ts';

type TextModule = typeof import('../en/watch-relay.ts');

const textLoaders: Record<Language, () => Promise<TextModule>> = {
  en: () => import('../en/watch-relay.ts'),
  de: () => import('../de/watch-relay.ts'),
};

export let handOverTexts: TextModule['handOverTexts'];

export async function loadRelayTexts(): Promise<void> {
  ({ handOverTexts } = await textLoaders[language]());
}
