/** Shows the progress of checking or importing a file. */
import type { ImportProgress } from '../../../client.ts';
import { percentText } from '../../text/format.ts';
import { importTexts } from '../../text/interchange/phone-interchange.ts';

export interface ImportPercent {
  phase: ImportProgress['phase'];
  /** A whole number, so that the screen renders at most a hundred times a phase. */
  percent: number;
}

export function importPercentOf({ phase, done, total }: ImportProgress): ImportPercent {
  return { phase, percent: total === 0 ? 0 : Math.floor((100 * done) / total) };
}

/** Rounds down to a multiple of 25 %, since screen readers announce each change of the text. */
export function importProgressText({ phase, percent }: ImportPercent): string {
  const quarter = Math.floor(percent / announcedPercentStep) * announcedPercentStep;
  return importTexts.progress[phase](percentText(quarter / 100));
}

const announcedPercentStep = 25;

export function ImportProgressBar({ label, share }: { label: string; share: ImportPercent | undefined }) {
  return <progress aria-label={label} value={share?.percent} max={100} />;
}
