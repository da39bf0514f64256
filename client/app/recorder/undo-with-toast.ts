import type { Recording } from '../../client.ts';
import { texts } from '../text/texts.ts';
import { setUndoableStepCount } from '../shell/undoable-steps.ts';
import { showToast } from '../ui/toast.tsx';
import { runWithVibration } from './run-with-vibration.ts';

/** Takes back the last tap, and says what it was. */
export async function undoWithToast({ undo, undoes }: Recording): Promise<void> {
  if (!(await runWithVibration(undo)) || !undoes) return;
  if (undoes.kind === 'cycle') setUndoableStepCount(0, 0);
  showToast({ text: texts.record.undone[undoes.kind](undoes.stage_name) });
}
