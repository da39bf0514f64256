/** No sequence of events leaves the machine of the sync stuck. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { problemOf, type CommonProblemCode } from '../../../shared/protocol/problem.ts';
import type { SyncFailure } from './failure/sync-failure.ts';
import { next } from './machine.ts';
import { initialSyncState, type SyncPhase, type SyncEffect, type SyncEvent } from './sync-state.ts';

const problem = (code: CommonProblemCode) => problemOf({ code, detail: code });
const failed = (failure: SyncFailure): SyncEvent => ({ type: 'failed', failure, random: 1 });
const unreachable = failed({ kind: 'unreachable', detail: 'no network' });
const clientId = '11111111-1111-4111-8111-111111111111';
const online: SyncEvent = { type: 'online' };
const pushed: SyncEvent = { type: 'pushed', more: false, wasAnswered: true };
const pulled: SyncEvent = { type: 'pulled' };

const event = fc.oneof(
  fc.constantFrom<SyncEvent>(
    online,
    { type: 'offline' },
    { type: 'roundDue' },
    { type: 'pullDue' },
    { type: 'asked' },
    { type: 'timer' },
    { type: 'stalled' },
    pushed,
    { type: 'pushed', more: true, wasAnswered: true },
    pulled,
    unreachable,
    failed({ kind: 'busy', problem: problem('unavailable'), retryAfterMs: null }),
    failed({ kind: 'blocked', problem: problem('unauthorized') }),
    failed({ kind: 'gap', problem: problem('sequence_gap'), clientId }),
    failed({ kind: 'other_owner', problem: problem('forbidden'), clientId }),
    failed({ kind: 'reused', problem: problem('sequence_reused'), conflict: { client_id: clientId, agreedSeq: 0 } }),
    failed({ kind: 'overtaken', detail: 'Another tab has pulled meanwhile.' }),
    failed({ kind: 'too_large', problem: problem('payload_too_large') }),
  ),
);
/** The effect whose outcome ends the phase; null for `offline`, which only the event `online` ends. */
const awaitedEffects: Record<SyncPhase, SyncEffect['do'] | null> = {
  offline: null,
  idle: 'wait',
  pushing: 'push',
  pulling: 'pull',
  waiting: 'wait',
  blocked: 'wait',
};

test('[SYNC-8] each phase is entered with the effect that ends it', () => {
  fc.assert(
    fc.property(fc.array(event), (events) => {
      let state = initialSyncState;
      for (const it of events) {
        const step = next(state, it);
        const entered = step.state.phase !== state.phase;
        const expected = awaitedEffects[step.state.phase];
        if (entered && expected) expect(step.effects.map((effect) => effect.do)).toContain(expected);
        state = step.state;
      }
    }),
  );
});

test('[SYNC-8] from anywhere, a network, a person and a server that answers lead to idle', () => {
  fc.assert(
    fc.property(fc.array(event), (events) => {
      const heal: SyncEvent[] = [online, { type: 'asked' }, pushed, pulled, pushed, pulled];
      expect([...events, ...heal].reduce((state, it) => next(state, it).state, initialSyncState).phase).toBe('idle');
    }),
  );
});
