/** The texts of value streams, trends of runs, copies of maps and maps side by side, which a phone loads on demand. */
import { language, type Language } from './language.ts';

type TextModule = typeof import('./en/phone-maps.ts');

const textLoaders: Record<Language, () => Promise<TextModule>> = {
  en: () => import('./en/phone-maps.ts'),
  de: () => import('./de/phone-maps.ts'),
};
const textModule = textLoaders[language]();

export let valueStreamTexts: TextModule['valueStreamTexts'];
export let ladderTexts: TextModule['ladderTexts'];
export let noMapsTexts: TextModule['noMapsTexts'];
export let recycleBinTexts: TextModule['recycleBinTexts'];
export let mapDialogTexts: TextModule['mapDialogTexts'];
export let mapMenuTexts: TextModule['mapMenuTexts'];
export let earlierStagesTexts: TextModule['earlierStagesTexts'];
export let startFromTexts: TextModule['startFromTexts'];
export let mapsSideBySideTexts: TextModule['mapsSideBySideTexts'];
export let replaceStagesTexts: TextModule['replaceStagesTexts'];
export let trendTexts: TextModule['trendTexts'];
export let sampleMaps: TextModule['sampleMaps'];

export async function loadMapTexts(): Promise<void> {
  ({
    valueStreamTexts,
    ladderTexts,
    recycleBinTexts,
    mapDialogTexts,
    noMapsTexts,
    mapMenuTexts,
    earlierStagesTexts,
    startFromTexts,
    mapsSideBySideTexts,
    replaceStagesTexts,
    trendTexts,
    sampleMaps,
  } = await textModule);
}
