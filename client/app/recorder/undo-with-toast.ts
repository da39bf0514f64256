import type { Recording, Undoable } from '../../client.ts';
import { setFinishDelayMs } from '../shell/delayed-finish.ts';
import { showToast } from '../ui/toast.tsx';
import { runWithVibration } from './run-with-vibration.ts';

/** A longer name is cut, since a toast with the whole name would cover the recorder. */
const nameLettersMax = 20;

const shortenName = (name: string): string => {
  const letters = [...name];
  return letters.length > nameLettersMax ? `${letters.slice(0, nameLettersMax - 1).join('')}…` : name;
};

type UndoToastTexts = Record<Undoable['kind'], (step: string) => string>;

/** Undoes the last tap, and says in a toast what was undone. */
export async function undoWithToast({ undo, undoes }: Recording, undone: UndoToastTexts): Promise<void> {
  if (!(await runWithVibration(undo)) || !undoes) return;
  if (undoes.kind === 'cycle') setFinishDelayMs(0);
  showToast({ text: undone[undoes.kind](shortenName(undoes.stage_name)) });
}
