/** Transitions that several rules of the sync state machine use. Pure. */
import type { Transition, SyncState } from './sync-state.ts';

export const beginRound = (state: SyncState): Transition => ({
  state: { ...state, phase: 'pushing', anotherRound: false, wasAsked: false, afterPull: null },
  effects: [{ do: 'push' }],
});

/** True if only the connection or another tab makes the sync wait. An event from the server may then end the wait. */
export const waitEndsOnServerEvent = ({
  unreachable,
  overtaken,
}: Pick<SyncState, 'unreachable' | 'overtaken'>): boolean => unreachable || overtaken;

export const startWait = (state: SyncState, ms: number): Transition => ({
  state: { ...state, phase: 'waiting' },
  effects: [{ do: 'wait', ms }],
});
