/**
 * Explores a state machine exhaustively: breadth first, each state once, so that the first violation has a shortest trace.
 * A state is known by the hash of its key, and its trace by the step that first led to it.
 */
import { HashTable, wordsOf } from './hash-table.ts';

export interface Step<State> {
  name: string;
  to: State;
}

export interface Machine<State> {
  initial: readonly State[];
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
  /** All states that so many steps lead to were explored. */
  depth: number;
  /** True if no reachable state is left. */
  isComplete: boolean;
  violation?: { names: string[]; trace: string[] };
}

interface Limits {
  statesMax: number;
  isTimeUp?: () => boolean;
}

/** Without further faults, a state from which the system has not come to rest within so many steps counts as stuck. */
const fairStepsMax = 400;

export async function explore<State>(
  machine: Machine<State>,
  { statesMax, isTimeUp = () => false }: Limits,
): Promise<Exploration> {
  const seen = new HashTable();
  const drained = new HashTable();
  const origins = new Origins();
  let transitions = 0;
  let depth = 0;
  let frontier: [number: number, state: State][] = [];
  for (const state of machine.initial) {
    const number = seen.add(wordsOf(machine.keyOf(state)));
    if (number === undefined) continue;
    origins.add(number, 'the beginning');
    frontier.push([number, state]);
  }
  const result = (rest: Partial<Exploration>): Exploration => ({
    states: seen.size,
    transitions,
    depth,
    isComplete: false,
    ...rest,
  });
  for (; frontier.length > 0; depth++) {
    const next: typeof frontier = [];
    for (const [number, state] of frontier) {
      const names = machine.violated(state);
      if (names.length > 0) return result({ violation: { names, trace: origins.traceOf(number) } });
      const stuck = await stuckFrom(machine, state, drained);
      if (stuck)
        return result({ violation: { names: stuck.names, trace: [...origins.traceOf(number), ...stuck.trace] } });
      if (seen.size >= statesMax || isTimeUp()) return result({});
      for (const { name, to } of await machine.stepsFrom(state)) {
        transitions++;
        const added = seen.add(wordsOf(machine.keyOf(to)));
        if (added === undefined) continue;
        origins.add(number, name);
        next.push([added, to]);
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
  drained: HashTable,
): Promise<{ names: string[]; trace: string[] } | undefined> {
  if (!machine.fairStep) return undefined;
  const passed: Uint32Array[] = [];
  const trace = ['-- no further faults --'];
  let state = from;
  while (trace.length <= fairStepsMax) {
    const words = wordsOf(machine.keyOf(state));
    if (drained.has(words)) break;
    passed.push(words);
    const step = await machine.fairStep(state);
    const names = step ? machine.violated(step.to) : (machine.undrained?.(state) ?? []);
    if (step) trace.push(step.name);
    if (names.length > 0) return { names, trace };
    if (!step) break;
    state = step.to;
  }
  if (trace.length > fairStepsMax) return { names: ['everything drains'], trace: trace.slice(0, 60) };
  for (const words of passed) drained.add(words);
  return undefined;
}

/** The state and the step that first led to each state, by its number. A first state leads to itself. */
class Origins {
  readonly #from: number[] = [];
  readonly #names: string[] = [];
  /** Millions of steps have some hundred names. */
  readonly #known = new Map<string, string>();

  add(from: number, name: string): void {
    const known = this.#known.get(name) ?? name;
    this.#known.set(name, known);
    this.#from.push(from);
    this.#names.push(known);
  }

  traceOf(number: number): string[] {
    const trace: string[] = [];
    for (let at = number; this.#from[at] !== at; at = this.#from[at]!) trace.push(this.#names[at]!);
    return trace.toReversed();
  }
}
