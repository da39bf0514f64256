import type { Recorded } from '../../client.ts';
import { clockParts } from '../text/format.ts';
import { useClockSecs } from './use-clock.ts';

interface ClockFaceProps {
  clock: Recorded['clock'];
  label: string | undefined;
  tenths: boolean;
  class?: string;
}

/**
 * Shows the clock of the current step, with the tenths of a second in a smaller size. A tick renders only this
 * component.
 */
export function ClockFace({ clock, label, tenths, class: name }: ClockFaceProps) {
  const { whole, tenth, unit } = clockParts(useClockSecs(clock, { tenths }));
  return (
    <span class={name} role="timer" aria-label={label}>
      {whole}
      {tenths && <span class="clock-tenth">{tenth}</span>}
      {unit && <span class="clock-unit"> {unit}</span>}
    </span>
  );
}
