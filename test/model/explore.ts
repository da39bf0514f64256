/**
 * Explores a state machine exhaustively: breadth first, each state once, so that the first violation has a shortest trace.
 * A state is known by the hash of its key, and its trace by the step that first led to it.
 */
import { createHash } from 'node:crypto';

export interface Step<State> {
  name: string;
  to: State;
}

export interface Machine<State> {
  initial: State;
  /** Two states with equal keys have the same future. */
  keyOf(state: State): string;
  /** Returns each possible next state, by the faults too. */
  stepsFrom(state: State): Promise<Step<State>[]>;
  /** Returns the names of the invariants that do not hold. */
  violated(state: State): string[];
  /** Returns the step that a system without further faults takes; undefined once nothing is left to do. */
  fairStep?(state: State): Promise<Step<State> | undefined>;
  /** Returns what is wrong in a state from which no fair step leads on. */
  undrained?(state: State): string[];
}

interface Exploration {
  states: number;
  transitions: number;
  /** True if no reachable state is left. */
  isComplete: boolean;
  violation?: { names: string[]; trace: string[] };
}

/** Without further faults, a state from which the system has not come to rest within so many steps counts as stuck. */
const fairStepsMax = 400;

export async function explore<State>(
  machine: Machine<State>,
  { statesMax }: { statesMax: number },
): Promise<Exploration> {
  const origins = new Map<string, { from: string; name: string } | undefined>();
  const drained = new Set<string>();
  let frontier: [key: string, state: State][] = [[hashOf(machine.keyOf(machine.initial)), machine.initial]];
  let transitions = 0;
  origins.set(frontier[0]![0], undefined);
  const result = (rest: Partial<Exploration>): Exploration => ({
    states: origins.size,
    transitions,
    isComplete: false,
    ...rest,
  });
  for (; frontier.length > 0;) {
    const next: typeof frontier = [];
    for (const [key, state] of frontier) {
      const names = machine.violated(state);
      if (names.length > 0) return result({ violation: { names, trace: traceOf(origins, key) } });
      const stuck = await stuckFrom(machine, state, drained);
      if (stuck)
        return result({ violation: { names: stuck.names, trace: [...traceOf(origins, key), ...stuck.trace] } });
      if (origins.size >= statesMax) return result({});
      for (const { name, to } of await machine.stepsFrom(state)) {
        transitions++;
        const toKey = hashOf(machine.keyOf(to));
        if (origins.has(toKey)) continue;
        origins.set(toKey, { from: key, name });
        next.push([toKey, to]);
      }
    }
    frontier = next;
  }
  return result({ isComplete: true });
}

/** Follows the fair steps to their end, or to a state from which an earlier search has done so. */
async function stuckFrom<State>(
  machine: Machine<State>,
  from: State,
  drained: Set<string>,
): Promise<{ names: string[]; trace: string[] } | undefined> {
  if (!machine.fairStep) return undefined;
  const passed: string[] = [];
  const trace = ['-- no further faults --'];
  let state = from;
  while (trace.length <= fairStepsMax) {
    const key = hashOf(machine.keyOf(state));
    if (drained.has(key)) break;
    passed.push(key);
    const step = await machine.fairStep(state);
    const names = step ? machine.violated(step.to) : (machine.undrained?.(state) ?? []);
    if (step) trace.push(step.name);
    if (names.length > 0) return { names, trace };
    if (!step) break;
    state = step.to;
  }
  if (trace.length > fairStepsMax) return { names: ['everything drains'], trace: trace.slice(0, 60) };
  for (const key of passed) drained.add(key);
  return undefined;
}

function traceOf(origins: Map<string, { from: string; name: string } | undefined>, key: string): string[] {
  const trace: string[] = [];
  for (let origin = origins.get(key); origin; origin = origins.get(origin.from)) trace.push(origin.name);
  return trace.toReversed();
}

/** The chance that two of a million states share a hash of 128 bits is below 10^-26. */
const hashOf = (key: string): string => createHash('md5').update(key).digest('base64');
