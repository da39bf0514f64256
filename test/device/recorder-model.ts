/** A model of the recorder without clocks: what is recorded after each act, and a generator of acts. */
import { pickOne, randomBelow, type Random } from '../random.ts';

/** One act of a worker on the recorder. Names and texts are given once only, so that each act leaves its own trace. */
export type Act =
  | { kind: 'start' | 'pause' | 'resume' | 'undo' | 'unfinish' }
  | { kind: 'step'; name: string; interruption: boolean }
  | { kind: 'note'; text: string }
  | { kind: 'edit'; index: number; name: string; notes: string }
  | { kind: 'split'; index: number; name: string }
  | { kind: 'join'; index: number }
  | { kind: 'border'; index: number; ms: number }
  | { kind: 'cycle'; name: string; undoMs: number }
  | { kind: 'finish'; undoMs: number };

/** A step as [name, notes]. */
export type ModelStep = readonly [name: string, notes: string];

interface Under {
  steps: readonly ModelStep[];
  isPaused: boolean;
  /** The state that an undo restores; null before the first act. */
  before: Under | null;
  /** True if the recording is the next cycle of the recording before it. */
  isCycle: boolean;
}

export interface ModelState {
  finished: readonly { under: Under; canUndo: boolean }[];
  under: Under | null;
}

/** The recordings on a device: the steps of its runs, oldest first, and of the recording under way. */
export interface Shown {
  runs: ModelStep[][];
  under: { steps: ModelStep[]; isPaused: boolean } | null;
}

export const nothingRecorded: ModelState = { finished: [], under: null };
const fresh = (isCycle: boolean): Under => ({ steps: [], isPaused: false, before: null, isCycle });

/** The state after an act that was taken. */
export function afterAct(state: ModelState, act: Act): ModelState {
  const { finished, under } = state;
  if (act.kind === 'start') return { ...state, under: fresh(false) };
  if (act.kind === 'unfinish') return backToLast(state);
  if (!under) throw new Error(`${act.kind} without a recording`);
  const changed = (change: Partial<Under>): ModelState => ({ finished, under: { ...under, ...change, before: under } });
  const { steps } = under;
  const [step, next] = 'index' in act ? steps.slice(act.index, act.index + 2) : steps.slice(-1);
  switch (act.kind) {
    case 'step':
      return changed({ steps: [...steps, [act.name, '']], isPaused: false });
    case 'note':
      return changed({ steps: [...steps.slice(0, -1), [step![0], joined(step![1], act.text)]] });
    case 'edit':
      return changed({ steps: steps.with(act.index, [act.name, act.notes]) });
    case 'split':
      return changed({ steps: steps.toSpliced(act.index + 1, 0, [act.name, '']) });
    case 'join':
      return changed({ steps: steps.toSpliced(act.index, 2, [step![0], joined(step![1], next![1])]) });
    case 'border':
      return changed({});
    case 'pause':
      return changed({ isPaused: true });
    case 'resume':
      return changed({ isPaused: false });
    case 'undo':
      return isCycleStart(under) ? backToLast(state) : { finished, under: under.before };
    case 'cycle': {
      const begun = fresh(true);
      const first = { ...begun, steps: [[act.name, ''] as const], before: begun };
      return { finished: [...finished, { under, canUndo: act.undoMs > 0 }], under: first };
    }
    case 'finish':
      return { finished: [...finished, { under, canUndo: act.undoMs > 0 }], under: null };
  }
}

const joined = (notes: string, text: string): string => [notes, text].filter((part) => part !== '').join('\n');

const backToLast = ({ finished }: ModelState): ModelState => ({
  finished: finished.slice(0, -1),
  under: finished.at(-1)!.under,
});

const isCycleStart = ({ isCycle, before }: Under): boolean => isCycle && before?.before === null;

/** The acts that the recorder may refuse: times too short to divide, and undos that come too late. */
export const mayBeRefused = ({ under }: ModelState, { kind }: Act): boolean =>
  kind === 'split' ||
  kind === 'border' ||
  kind === 'unfinish' ||
  (kind === 'undo' && !!under && isCycleStart(under)) ||
  // The act was drawn for another state that fits, too: what an undo took back may differ.
  (kind === 'resume' && under?.isPaused === false) ||
  (kind === 'pause' && under?.isPaused === true);

/** Whether a device shows this state. A finish that can be undone makes no run before its time is over. */
export function shows({ runs, under }: Shown, state: ModelState): boolean {
  const made = state.finished.slice(0, runs.length);
  const waiting = state.finished.slice(runs.length);
  const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  return (
    waiting.every(({ canUndo }) => canUndo) &&
    isSame(
      runs,
      made.map((cycle) => cycle.under.steps),
    ) &&
    isSame(under, state.under && { steps: state.under.steps, isPaused: state.under.isPaused })
  );
}

const stepsMax = 30;

/** Draws acts that fit the state. `isNew` is true while no act came since the device was opened. */
export function actDrawer(random: Random): (state: ModelState, isNew: boolean) => Act {
  let count = 0;
  const name = () => `act ${String(++count).padStart(5, '0')}`;
  const undoMs = () => pickOne(random, [0, 60_000]);
  return ({ finished, under }, isNew) => {
    if (!under) {
      const canUnfinish = !isNew && finished.at(-1)?.canUndo && random() < 0.5;
      return { kind: canUnfinish ? 'unfinish' : 'start' };
    }
    const { steps, isPaused } = under;
    if (steps.length === 0) return { kind: 'step', name: name(), interruption: false };
    if (steps.length > stepsMax) return { kind: 'finish', undoMs: undoMs() };
    const index = randomBelow(random, steps.length);
    const draws: Act[] = [
      { kind: 'step', name: name(), interruption: random() < 0.2 },
      { kind: 'step', name: name(), interruption: false },
      { kind: 'note', text: name() },
      { kind: 'edit', index, name: name(), notes: random() < 0.5 ? '' : name() },
      { kind: 'split', index, name: name() },
      { kind: isPaused ? 'resume' : 'pause' },
      { kind: 'undo' },
      { kind: 'undo' },
      { kind: 'cycle', name: name(), undoMs: undoMs() },
      ...(random() < 0.5 ? [{ kind: 'finish' as const, undoMs: undoMs() }] : []),
      ...(index + 1 < steps.length
        ? [
            { kind: 'join' as const, index },
            { kind: 'border' as const, index, ms: random() < 0.5 ? 1 : -1 },
          ]
        : []),
    ];
    return pickOne(random, draws);
  };
}
