/** Turns of the event loop, which end all work that waits for no thread, disk or network. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A write of the server waits for two turns. */
const turnsMin = 4;
/** Many rounds take fewer; a smaller bound would let chance decide what ends in time. */
const turnsMax = 200;

export async function fewTurns(): Promise<void> {
  for (let turn = 0; turn < turnsMin; turn++) await nextTurn();
}

/** Resolves to whether the work ended within many turns. Turns count only while the server is not busy. */
export async function turnsUntil(working: Promise<unknown>, isServerBusy: () => boolean): Promise<boolean> {
  const work = { hasEnded: false };
  const end = () => void (work.hasEnded = true);
  working.then(end, end);
  for (let turn = 0; turn < turnsMax && !work.hasEnded; turn += isServerBusy() ? 0 : 1) await nextTurn();
  return work.hasEnded;
}
