/** The texts of exports, prints and imports, which a phone and a desk load on demand. */
import { language, type Language } from '../language.ts';

type TextModule = typeof import('../en/phone-interchange.ts');

const textLoaders: Record<Language, () => Promise<TextModule>> = {
  en: () => import('../en/phone-interchange.ts'),
  de: () => import('../de/phone-interchange.ts'),
};
const textModule = textLoaders[language]();

export let exportTexts: TextModule['exportTexts'];
export let printTexts: TextModule['printTexts'];
export let pictureTexts: TextModule['pictureTexts'];
export let importTexts: TextModule['importTexts'];

export async function loadInterchangeTexts(): Promise<void> {
  ({ exportTexts, printTexts, pictureTexts, importTexts } = await textModule);
}
