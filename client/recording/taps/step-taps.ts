/** Makes the taps of the verbs `step`, `note` and `finish` from the arguments of these verbs. */
import { computeStagesByMode } from '../../../shared/domain/stages/stages-after-recording.ts';
import type { Stamp } from '../../core/clock.ts';
import { requireFields, requireObject, requireValid, throwIfInvalid } from '../../core/validate.ts';
import { tapped_step } from '../../generated/recorder-validators.js';
import type { FinishedTap, SteppedTap } from '../../storage/rows.ts';
import type { FinishOptions, StepFields } from '../recording.ts';
import type { UndoableTap } from './undoable-taps.ts';

export const requireValidStep = (fields: Partial<StepFields>): void =>
  requireValid(tapped_step, { stage_name: 'step', ...fields });

export function steppedTap(at: Stamp, fields: StepFields): SteppedTap {
  requireObject(fields);
  const { stage_name, work_type, notes, interruption } = fields;
  requireValid(tapped_step, { stage_name, work_type, notes, interruption });
  const flag = interruption ? { interruption: true as const } : {};
  return { kind: 'stepped', at, stage_name, work_type: work_type ?? null, notes: notes ?? '', ...flag };
}

export function notedTap(at: Stamp, text: string): UndoableTap {
  requireValidStep({ notes: text });
  return { kind: 'noted', at, text };
}

const undoMsMax = 60_000;

export const isUndoTime = (ms: unknown): boolean => Number.isInteger(ms) && Number(ms) > 0 && Number(ms) <= undoMsMax;

/** Makes the tap that finishes a recording. Throws `validation_failed` if the options are invalid. */
export function finishedTap(at: Stamp, options: FinishOptions, makeId: () => number): FinishedTap {
  requireFields(options, ['stages', 'undoMs']);
  const { stages = 'replace', undoMs = 0 } = options;
  // `Object.hasOwn` converts its argument to a text, so without the first check, the list ['keep'] would pass.
  const isMode = typeof stages === 'string' && Object.hasOwn(computeStagesByMode, stages);
  const isTime = undoMs === 0 || isUndoTime(undoMs);
  throwIfInvalid([
    ...(isMode ? [] : [{ path: '/stages', message: 'must be replace, keep or merge' }]),
    ...(isTime ? [] : [{ path: '/undoMs', message: `must be an integer from 0 to ${undoMsMax}` }]),
  ]);
  return {
    kind: 'finished',
    at,
    ...(stages === 'replace' ? {} : { stages }),
    ...(undoMs === 0 ? {} : { undo: { ms: undoMs, run_id: makeId() } }),
  };
}
