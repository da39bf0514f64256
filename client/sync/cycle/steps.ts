/** Steps that several transitions of the state machine share. Pure. */
import type { Step, SyncState } from './sync-state.ts';

/** Begins a round, whose first step is a push. */
export const push = (state: SyncState): Step => ({
  state: { ...state, phase: 'pushing', again: false, asked: false, afterPull: null },
  effects: [{ do: 'push' }],
});

/** Whether the sync waits by its own decision: then an event that shows a change may end the wait early. */
export const isShortWait = ({ unreachable, overtaken }: Pick<SyncState, 'unreachable' | 'overtaken'>): boolean =>
  unreachable || overtaken;

export const waiting = (state: SyncState, ms: number): Step => ({
  state: { ...state, phase: 'waiting' },
  effects: [{ do: 'wait', ms }],
});
