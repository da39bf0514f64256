/**
 * Makes the taps that edit a step, from the arguments of the verbs. Throws `validation_failed` for invalid arguments.
 */
import type { Stamp } from '../core/clock.ts';
import { throwIfInvalid } from '../core/validate.ts';
import type { StepEdit, StepPosition } from './recording.ts';
import { requireValidStep } from './step-taps.ts';
import type { UndoableTap } from './tap-changes.ts';

export function editedTap(at: Stamp, { index }: StepPosition, { stage_name, work_type, notes }: StepEdit): UndoableTap {
  const given = Object.entries({ stage_name, work_type, notes }).filter(([, value]) => value !== undefined);
  requireValidStep(Object.fromEntries(given));
  return { kind: 'edited', at, index, ...Object.fromEntries(given) };
}

export function splitTap(
  at: Stamp,
  { index }: StepPosition,
  { at_secs, stage_name }: { at_secs: number; stage_name?: string },
): UndoableTap {
  const named = stage_name === undefined ? {} : { stage_name };
  requireValidStep(named);
  return { kind: 'split', at, index, after_ms: toMs('/at_secs', at_secs), ...named };
}

export const joinedTap = (at: Stamp, { index }: StepPosition): UndoableTap => ({ kind: 'joined', at, index });

export const borderMovedTap = (at: Stamp, { index }: StepPosition, { secs }: { secs: number }): UndoableTap => ({
  kind: 'border_moved',
  at,
  index,
  by_ms: toMs('/secs', secs),
});

function toMs(path: string, secs: number): number {
  const ms = typeof secs === 'number' ? Math.round(secs * 1000) : Number.NaN;
  if (!Number.isSafeInteger(ms)) throwIfInvalid([{ path, message: 'must be a number of seconds' }]);
  return ms;
}
