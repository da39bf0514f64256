/** A device that is killed in the middle of acts on its recorder, many times. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { pickOne, randomBelow, type Random } from '../random.ts';
import {
  actDrawer,
  afterAct,
  mayBeRefused,
  nothingRecorded,
  shows,
  type Act,
  type ModelState,
  type Shown,
} from './recorder-model.ts';

export interface KillableDevice {
  /** Resolves to the code of a refusal, or to null once the act is acknowledged. Rejects when the device is killed. */
  perform(act: Act): Promise<string | null>;
  shown(): Promise<Shown>;
  kill(): Promise<void>;
}

interface Killing {
  open(): Promise<KillableDevice>;
  random: Random;
  kills: number;
}

const actsBeforeKillMax = 25;
const killDelaysMs = [0, 0, 1, 2, 3, 5, 12];

/**
 * Performs acts and kills the device during one of them, again and again. After each start the device has every
 * acknowledged act once, in order; the act under way at the kill is there or not. Returns the last device and its state.
 */
export async function actUntilKilled({
  open,
  random,
  kills,
}: Killing): Promise<{ last: KillableDevice; states: ModelState[] }> {
  const draw = actDrawer(random);
  const log: string[] = [];
  // A moved border shows nothing, so that two states may fit.
  let states: ModelState[] = [nothingRecorded];
  for (let round = 0; ; round++) {
    const opened = await open();
    states = fitting(await opened.shown(), states, log);
    if (round === kills) return { last: opened, states };
    const untilKill = 1 + randomBelow(random, actsBeforeKillMax);
    for (let count = 1; count <= untilKill; count++) {
      const drawAct = () => draw(states[0]!, count === 1);
      const act = count === untilKill && random() < 0.5 ? drawLongAct(drawAct) : drawAct();
      const performed = opened.perform(act);
      if (count < untilKill) {
        states = afterOutcome(states, act, await performed);
        log.push(JSON.stringify(act));
        continue;
      }
      const outcome = await outcomeOrKill(performed, opened, pickOne(random, killDelaysMs));
      log.push(`${JSON.stringify(act)} and killed, ${outcome === undefined ? 'unanswered' : 'answered'}`);
      states =
        outcome === undefined
          ? [...states, ...states.map((state) => afterAct(state, act))]
          : afterOutcome(states, act, outcome);
    }
  }
}

/** Prefers the acts that write more than one row, since a kill could tear them. */
function drawLongAct(drawAct: () => Act): Act {
  let act = drawAct();
  for (let draws = 0; draws < 10 && act.kind !== 'cycle' && act.kind !== 'finish'; draws++) act = drawAct();
  return act;
}

function afterOutcome(states: ModelState[], act: Act, refusal: string | null): ModelState[] {
  if (refusal === null) return states.map((state) => afterAct(state, act));
  const refusing = states.filter((state) => mayBeRefused(state, act));
  expect(refusing, `${JSON.stringify(act)} was refused with ${refusal}`).not.toEqual([]);
  return refusing;
}

/** Resolves to undefined if the kill came before the answer. */
async function outcomeOrKill(performed: Promise<string | null>, opened: KillableDevice, killMs: number) {
  let outcome: string | null | undefined;
  const answered = performed.then(
    (refusal) => (outcome = refusal),
    () => undefined,
  );
  await Promise.race([answered, delay(killMs)]);
  await opened.kill();
  return outcome;
}

export function fitting(shown: Shown, states: ModelState[], log: readonly string[]): ModelState[] {
  const found = states.filter((state) => shows(shown, state));
  if (found.length > 0) return found;
  const expected = states.map(({ finished, under }) => ({
    finished: finished.map((cycle) => cycle.under.steps),
    under: under && { steps: under.steps, isPaused: under.isPaused },
  }));
  throw new Error(
    `After these acts\n${log.slice(-40).join('\n')}\nthe device shows\n${JSON.stringify(shown)}\nand should show\n${expected.map((state) => JSON.stringify(state)).join('\nor\n')}`,
  );
}
