import { expect, test } from 'vitest';
import { problemOf } from '../../../../shared/protocol/problem.ts';
import { backoffMsMin } from '../../net/backoff.ts';
import type { SyncFailure } from './sync-failure.ts';
import { next } from '../machine.ts';
import { initialSyncState, type Transition, type SyncEvent } from '../sync-state.ts';

const clientId = '11111111-1111-4111-8111-111111111111';
const failed = (failure: SyncFailure): SyncEvent => ({ type: 'failed', failure, random: 1 });
const online: SyncEvent = { type: 'online' };
const pushed: SyncEvent = { type: 'pushed', more: false, wasAnswered: true };
const pulled: SyncEvent = { type: 'pulled' };
const timer: SyncEvent = { type: 'timer' };

const run = (...events: SyncEvent[]): Transition =>
  events.reduce<Transition>(({ state }, event) => next(state, event), { state: initialSyncState, effects: [] });

test('[SYNC-52] a client id of another owner is looked into by a pull of changes, then everything is sent again', () => {
  const otherOwner = failed({ kind: 'other_owner', problem: problemOf({ code: 'forbidden', detail: '' }), clientId });
  expect(run(online, otherOwner).effects).toEqual([{ do: 'pull' }]);
  expect(run(online, otherOwner, pulled, otherOwner).effects).toEqual([
    { do: 'push', first: { kind: 'resendAll', clientId } },
  ]);
});

test('[SYNC-24] a fork is made of the conflict that the failed push or pull found', () => {
  const conflict = { client_id: clientId, agreedSeq: 3 };
  const reused = failed({ kind: 'reused', problem: problemOf({ code: 'sequence_reused', detail: '' }), conflict });
  for (const before of [[online], [online, pushed]]) {
    expect(run(...before, reused).effects).toEqual([{ do: 'push', first: { kind: 'forkSequence', conflict } }]);
  }
});

test('[SYNC-79] a pull that was overtaken is tried again soon, and the device is not shown as offline', () => {
  const overtaken = failed({ kind: 'overtaken', detail: 'Another tab has pulled meanwhile.' });
  expect(run(online, pushed, overtaken)).toMatchObject({
    state: { phase: 'waiting', unreachable: false, error: null },
    effects: [{ do: 'wait', ms: backoffMsMin }],
  });
  expect(run(online, pushed, overtaken, { type: 'pullDue' }).effects).toEqual([{ do: 'push' }]);
  expect(run(online, pushed, { type: 'asked' }, overtaken).effects).toEqual([{ do: 'push' }]);
  expect(run(online, pushed, overtaken, timer, pushed, pulled).state).toMatchObject({ overtaken: false, failures: 0 });
});
