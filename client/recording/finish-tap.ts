import { stagesAfterRecording } from '../../shared/domain/stages/stages-after-recording.ts';
import type { Stamp } from '../core/clock.ts';
import { throwIfInvalid } from '../core/validate.ts';
import type { FinishedTap } from '../storage/rows.ts';
import type { FinishOptions } from './recording.ts';

const undoMsMax = 60_000;

/** Makes the tap that finishes a recording. Throws `validation_failed` if the options are invalid. */
export function finishedTap(
  at: Stamp,
  { stages = 'replace', undoMs = 0 }: FinishOptions,
  makeId: () => number,
): FinishedTap {
  const isMode = Object.hasOwn(stagesAfterRecording, stages);
  const isTime = Number.isInteger(undoMs) && undoMs >= 0 && undoMs <= undoMsMax;
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
