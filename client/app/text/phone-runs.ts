/** The texts of runs and of their comparison, which a phone loads on demand. */
import { language, type Language } from './language.ts';

type TextModule = typeof import('./en/phone-runs.ts');

const textLoaders: Record<Language, () => Promise<TextModule>> = {
  en: () => import('./en/phone-runs.ts'),
  de: () => import('./de/phone-runs.ts'),
};
const textModule = textLoaders[language]();

export let runsTexts: TextModule['runsTexts'];
export let serverOnlyRunsTexts: TextModule['serverOnlyRunsTexts'];
export let runTexts: TextModule['runTexts'];
export let runEditTexts: TextModule['runEditTexts'];
export let applyTimesTexts: TextModule['applyTimesTexts'];
export let filterTexts: TextModule['filterTexts'];
export let compareRunsTexts: TextModule['compareRunsTexts'];
export let timeStudyTexts: TextModule['timeStudyTexts'];
export let exclusionTexts: TextModule['exclusionTexts'];

export async function loadRunsTexts(): Promise<void> {
  ({
    runsTexts,
    serverOnlyRunsTexts,
    runTexts,
    runEditTexts,
    applyTimesTexts,
    filterTexts,
    compareRunsTexts,
    timeStudyTexts,
    exclusionTexts,
  } = await textModule);
}
