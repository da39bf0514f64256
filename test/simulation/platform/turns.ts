/** Turns of the event loop, which end all work that waits for no thread, disk or network. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A write of the server waits for two turns. */
const turnsMin = 4;
/** A round with a push and a pull takes fewer. */
const turnsMaxDefault = 60;
let turnsMax = turnsMaxDefault;

/** PostgreSQL answers from another process, after many turns. */
export function waitForProcesses(isOn: boolean): void {
  turnsMax = isOn ? 20_000 : turnsMaxDefault;
}

export async function fewTurns(): Promise<void> {
  for (let turn = 0; turn < turnsMin; turn++) await nextTurn();
}

/** Resolves to whether the work ended within many turns. */
export async function turnsUntil(working: Promise<unknown>): Promise<boolean> {
  let hasEnded = false;
  const end = () => void (hasEnded = true);
  working.then(end, end);
  for (let turn = 0; turn < turnsMax && !hasEnded; turn++) await nextTurn();
  return hasEnded;
}
