/** The texts that only the watch shows. They are short, since the screen of a watch is small. */
import { language, type Language } from './language.ts';

type TextModule = typeof import('./en/watch.ts');

type AttentionModule = typeof import('./en/phone-on-demand.ts');

const textLoaders: Record<Language, () => Promise<TextModule>> = {
  en: () => import('./en/watch.ts'),
  de: () => import('./de/watch.ts'),
};
const textModule = textLoaders[language]();

export let watchTexts: TextModule['watchTexts'];

export let attentionTexts: AttentionModule['attentionTexts'];

export async function loadWatchTexts(): Promise<void> {
  ({ watchTexts } = await textModule);
}

const attentionLoaders: Record<Language, () => Promise<AttentionModule>> = {
  en: () => import('./en/phone-on-demand.ts'),
  de: () => import('./de/phone-on-demand.ts'),
};

/** A watch rarely has refused runs, so their texts load on demand. */
export async function loadAttentionTexts(): Promise<void> {
  ({ attentionTexts } = await attentionLoaders[language]());
}
