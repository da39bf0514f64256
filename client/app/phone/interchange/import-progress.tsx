/** Shows how far the check or the import of a file is. */
import type { ImportProgress } from '../../../client.ts';
import { percentText } from '../../text/format.ts';
import { importTexts } from '../../text/interchange/phone-interchange.ts';

export interface ImportShare {
  phase: ImportProgress['phase'];
  /** Whole hundredths, so that the screen renders at most a hundred times a phase. */
  percent: number;
}

export function shareOf({ phase, done, total }: ImportProgress): ImportShare {
  return { phase, percent: total === 0 ? 0 : Math.floor((100 * done) / total) };
}

/** The text changes by quarters, since assistive technology reads each change aloud. */
export function progressText({ phase, percent }: ImportShare): string {
  const quarter = Math.floor(percent / percentPerStep) * percentPerStep;
  return importTexts.progress[phase](percentText(quarter / 100));
}

const percentPerStep = 25;

export function ImportBar({ label, share }: { label: string; share: ImportShare | undefined }) {
  return <progress aria-label={label} value={share?.percent} max={100} />;
}
