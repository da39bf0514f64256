/** The texts of the phone's screens that load on demand (on-demand.tsx). */
import { language, type Language } from './language.ts';

type Source = typeof import('./en/phone-on-demand.ts');

const sources: Record<Language, () => Promise<Source>> = {
  en: () => import('./en/phone-on-demand.ts'),
  de: () => import('./de/phone-on-demand.ts'),
};
const source = sources[language]();

export let stageTexts: Source['stageTexts'];
export let binTexts: Source['binTexts'];
export let recordTexts: Source['recordTexts'];
export let attentionTexts: Source['attentionTexts'];
export let missingTexts: Source['missingTexts'];
export let syncTexts: Source['syncTexts'];
export let sampleTexts: Source['sampleTexts'];
export let untrustedTexts: Source['untrustedTexts'];
export let reportTexts: Source['reportTexts'];
export let deviceTexts: Source['deviceTexts'];
export let pairingTexts: Source['pairingTexts'];
export let keyTexts: Source['keyTexts'];

export async function loadOnDemandTexts(): Promise<void> {
  ({
    stageTexts,
    binTexts,
    recordTexts,
    attentionTexts,
    missingTexts,
    syncTexts,
    sampleTexts,
    untrustedTexts,
    reportTexts,
    deviceTexts,
    pairingTexts,
    keyTexts,
  } = await source);
}
