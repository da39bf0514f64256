/** Turns of the event loop, which end all work that waits for no thread, disk or network. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A write of the server waits for two turns, and an idle task of RxDB for a timer of no time. */
const turnsMin = 4;

export async function fewTurns(): Promise<void> {
  for (let turn = 0; turn < turnsMin; turn++) await nextTurn();
}
