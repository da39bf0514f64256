import type { Recording, Undoable } from '../../client.ts';
import { setUndoableStepCount } from '../shell/undoable-steps.ts';
import { showToast } from '../ui/toast.tsx';
import { runWithVibration } from './run-with-vibration.ts';

/** A sentence for each kind of undo; the name is that of the step. */
type UndoneTexts = Record<Undoable['kind'], (step: string) => string>;

/** Takes back the last tap, and says what it was once the texts are loaded. */
export async function undoAndSay({ undo, undoes }: Recording, undoneTexts: UndoneTexts | undefined): Promise<void> {
  if (!(await runWithVibration(undo)) || !undoes) return;
  if (undoes.kind === 'cycle') setUndoableStepCount(0, 0);
  if (undoneTexts) showToast({ text: undoneTexts[undoes.kind](undoes.stage_name) });
}
