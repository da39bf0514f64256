/** Transitions that several rules of the sync state machine use. Pure. */
import type { Transition, SyncState } from './sync-state.ts';

export const beginRound = (state: SyncState): Transition => ({
  state: { ...state, phase: 'pushing', anotherRound: false, wasAsked: false, afterPull: null },
  effects: [{ do: 'push' }],
});

/**
 * True if the sync waits only because of the connection or another tab. An event from the server may end such a wait.
 */
export const waitEndsOnServerEvent = ({
  unreachable,
  overtaken,
}: Pick<SyncState, 'unreachable' | 'overtaken'>): boolean => unreachable || overtaken;

export const startWait = (state: SyncState, ms: number): Transition => ({
  state: { ...state, phase: 'waiting' },
  effects: [{ do: 'wait', ms }],
});
