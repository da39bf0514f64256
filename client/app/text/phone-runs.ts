/** The texts of runs and of their comparison, which a phone loads on demand. */
import { language, type Language } from './language.ts';

type Source = typeof import('./en/phone-runs.ts');

const sources: Record<Language, () => Promise<Source>> = {
  en: () => import('./en/phone-runs.ts'),
  de: () => import('./de/phone-runs.ts'),
};
const source = sources[language]();

export let runsTexts: Source['runsTexts'];
export let runTexts: Source['runTexts'];
export let runEditTexts: Source['runEditTexts'];
export let mapTimesTexts: Source['mapTimesTexts'];
export let trendTexts: Source['trendTexts'];
export let filterTexts: Source['filterTexts'];
export let compareTexts: Source['compareTexts'];
export let studyTexts: Source['studyTexts'];
export let exclusionTexts: Source['exclusionTexts'];

export async function loadRunsTexts(): Promise<void> {
  ({
    runsTexts,
    runTexts,
    runEditTexts,
    mapTimesTexts,
    trendTexts,
    filterTexts,
    compareTexts,
    studyTexts,
    exclusionTexts,
  } = await source);
}
