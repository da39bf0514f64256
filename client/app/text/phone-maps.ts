/** The texts of value streams, copies of maps and maps side by side, which a phone loads on demand. */
import { language, type Language } from './language.ts';

type Source = typeof import('./en/phone-maps.ts');

const sources: Record<Language, () => Promise<Source>> = {
  en: () => import('./en/phone-maps.ts'),
  de: () => import('./de/phone-maps.ts'),
};
const source = sources[language]();

export let flowTexts: Source['flowTexts'];
export let ladderTexts: Source['ladderTexts'];
export let mapMenuTexts: Source['mapMenuTexts'];
export let startFromTexts: Source['startFromTexts'];
export let besideTexts: Source['besideTexts'];
export let runStagesTexts: Source['runStagesTexts'];
export let sampleMaps: Source['sampleMaps'];

export async function loadMapTexts(): Promise<void> {
  ({ flowTexts, ladderTexts, mapMenuTexts, startFromTexts, besideTexts, runStagesTexts, sampleMaps } = await source);
}
