/** The texts of the phone's screens that load on demand (on-demand.tsx). */
import { language, type Language } from './language.ts';

type TextModule = typeof import('./en/phone-on-demand.ts');

const textLoaders: Record<Language, () => Promise<TextModule>> = {
  en: () => import('./en/phone-on-demand.ts'),
  de: () => import('./de/phone-on-demand.ts'),
};
const textModule = textLoaders[language]();

export let formTexts: TextModule['formTexts'];
export let stageTexts: TextModule['stageTexts'];
export let foldedListTexts: TextModule['foldedListTexts'];
export let recordTexts: TextModule['recordTexts'];
export let attentionTexts: TextModule['attentionTexts'];
export let missingRecordTexts: TextModule['missingRecordTexts'];
export let syncTexts: TextModule['syncTexts'];
export let sampleRecordingTexts: TextModule['sampleRecordingTexts'];
export let untrustedCertificateTexts: TextModule['untrustedCertificateTexts'];
export let reportTexts: TextModule['reportTexts'];
export let deviceTexts: TextModule['deviceTexts'];
export let pairOtherDeviceTexts: TextModule['pairOtherDeviceTexts'];
export let keyTexts: TextModule['keyTexts'];
export let photoTexts: TextModule['photoTexts'];

export async function loadOnDemandTexts(): Promise<void> {
  ({
    formTexts,
    stageTexts,
    foldedListTexts,
    recordTexts,
    attentionTexts,
    missingRecordTexts,
    syncTexts,
    sampleRecordingTexts,
    untrustedCertificateTexts,
    reportTexts,
    deviceTexts,
    pairOtherDeviceTexts,
    keyTexts,
    photoTexts,
  } = await textModule);
}
