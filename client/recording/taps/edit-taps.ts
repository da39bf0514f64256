/**
 * Makes the taps that edit a step, from the arguments of the verbs. Throws `validation_failed` for invalid arguments.
 */
import { hexOfPhotoId } from '../../../shared/schema/photos/photo-id.ts';
import type { Stamp } from '../../core/clock.ts';
import { requireFields, requireObject, throwIfInvalid } from '../../core/validate.ts';
import type { StepEdit, StepPosition } from '../recording.ts';
import { requireValidStep } from './step-taps.ts';
import type { UndoableTap } from './undoable-taps.ts';

export function editedTap(at: Stamp, step: StepPosition, edit: StepEdit): UndoableTap {
  const index = requireIndex(step);
  requireFields(edit, ['stage_name', 'work_type', 'notes']);
  const { stage_name, work_type, notes } = edit;
  const given = Object.entries({ stage_name, work_type, notes }).filter(([, value]) => value !== undefined);
  requireValidStep(Object.fromEntries(given));
  return { kind: 'edited', at, index, ...Object.fromEntries(given) };
}

export function splitTap(at: Stamp, step: StepPosition, cut: { at_secs: number; stage_name?: string }): UndoableTap {
  const index = requireIndex(step);
  requireFields(cut, ['at_secs', 'stage_name']);
  const { at_secs, stage_name } = cut;
  const named = stage_name === undefined ? {} : { stage_name };
  requireValidStep(named);
  return { kind: 'split', at, index, after_ms: toMs('/at_secs', at_secs), ...named };
}

export const joinedTap = (at: Stamp, step: StepPosition): UndoableTap => ({
  kind: 'joined',
  at,
  index: requireIndex(step),
});

export function borderMovedTap(at: Stamp, step: StepPosition, by: { secs: number }): UndoableTap {
  const index = requireIndex(step);
  requireFields(by, ['secs']);
  return { kind: 'border_moved', at, index, by_ms: toMs('/secs', by.secs) };
}

export function photoRemovedTap(at: Stamp, step: StepPosition, photo: string): UndoableTap {
  const index = requireIndex(step);
  const isPhoto = typeof photo === 'string' && hexOfPhotoId(photo) !== undefined;
  throwIfInvalid(isPhoto ? [] : [{ path: '/photoId', message: 'must be the id of a photo' }]);
  return { kind: 'photo_removed', at, index, photo };
}

function requireIndex(step: StepPosition): number {
  requireObject(step);
  const { index, started_at } = step;
  throwIfInvalid([
    ...(Number.isSafeInteger(index) && index >= 0 ? [] : [{ path: '/index', message: 'must be the index of a step' }]),
    ...(typeof started_at === 'string' ? [] : [{ path: '/started_at', message: 'must be the start of the step' }]),
  ]);
  return index;
}

function toMs(path: string, secs: number): number {
  const ms = typeof secs === 'number' ? Math.round(secs * 1000) : Number.NaN;
  if (!Number.isSafeInteger(ms)) throwIfInvalid([{ path, message: 'must be a number of seconds' }]);
  return ms;
}
