/** Shows the progress of checking or importing a file. */
import type { ImportProgress } from '../../../client.ts';
import { percentText } from '../../text/format.ts';
import { importTexts } from '../../text/interchange/phone-interchange.ts';

export interface ImportShare {
  phase: ImportProgress['phase'];
  /** A whole number, so that the screen renders at most a hundred times a phase. */
  percent: number;
}

export function shareOf({ phase, done, total }: ImportProgress): ImportShare {
  return { phase, percent: total === 0 ? 0 : Math.floor((100 * done) / total) };
}

/** Rounds down to 25, 50 or 75 %, since screen readers announce each change of the text. */
export function progressText({ phase, percent }: ImportShare): string {
  const quarter = Math.floor(percent / percentPerStep) * percentPerStep;
  return importTexts.progress[phase](percentText(quarter / 100));
}

const percentPerStep = 25;

export function ImportBar({ label, share }: { label: string; share: ImportShare | undefined }) {
  return <progress aria-label={label} value={share?.percent} max={100} />;
}
