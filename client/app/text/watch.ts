/** The texts that only the watch shows. They are short, since the screen of a watch is small. */
import { watchTexts as de } from './de/watch.ts';
import { watchTexts as en } from './en/watch.ts';
import { language, type Language } from './language.ts';

type AttentionModule = typeof import('./en/phone-on-demand.ts');

export const watchTexts = { en, de }[language];

export let attentionTexts: AttentionModule['attentionTexts'];

const attentionLoaders: Record<Language, () => Promise<AttentionModule>> = {
  en: () => import('./en/phone-on-demand.ts'),
  de: () => import('./de/phone-on-demand.ts'),
};

/** A watch rarely has refused runs, so their texts load on demand. */
export async function loadAttentionTexts(): Promise<void> {
  ({ attentionTexts } = await attentionLoaders[language]());
}
