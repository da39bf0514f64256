import fc from 'fast-check';
import { expect, test } from 'vitest';
import { problemOf } from '../../../shared/protocol/problem.ts';
import { backoffMsAfter, backoffMsMax, backoffMsMin, blockedRetryMsMax, blockedRetryMsMin } from '../net/backoff.ts';
import type { SyncFailure } from './failure/sync-failure.ts';
import { next } from './machine.ts';
import { initialSyncState, type SyncEffect, type SyncEvent, type SyncState } from './sync-state.ts';

const problem = (code: 'unavailable' | 'unauthorized' | 'sequence_gap' | 'payload_too_large' | 'acknowledge_first') =>
  problemOf({ code, detail: code });
const clientId = '11111111-1111-4111-8111-111111111111';
const failed = (failure: SyncFailure): SyncEvent => ({ type: 'failed', failure, random: 1 });
const unreachable = failed({ kind: 'unreachable', detail: 'no network' });

function run(...events: SyncEvent[]): { state: SyncState; effects: SyncEffect[] } {
  return events.reduce(({ state }, event) => next(state, event), {
    state: initialSyncState,
    effects: [] as SyncEffect[],
  });
}
/** A failed push, and then a failed pull. */
const outage = [unreachable, unreachable];
const online: SyncEvent = { type: 'online' };
const pushed: SyncEvent = { type: 'pushed', more: false, wasAnswered: true };
const pulled: SyncEvent = { type: 'pulled' };
const timer: SyncEvent = { type: 'timer' };
const idle = [online, pushed, pulled];

test('[SYNC-1] a round pushes until nothing is left, then pulls, then rests', () => {
  expect(run(online).effects).toEqual([{ do: 'push' }]);
  expect(run(online, { type: 'pushed', more: true, wasAnswered: true }).effects).toEqual([{ do: 'push' }]);
  expect(run(online, pushed).effects).toEqual([{ do: 'pull' }]);
  expect(run(...idle).state.phase).toBe('idle');
});

test('[SYNC-2] what comes up during a round starts another at once', () => {
  for (const type of ['roundDue', 'pullDue', 'asked'] as const) {
    expect(run(online, pushed, { type }, pulled).effects).toEqual([{ do: 'push' }]);
  }
  expect(run(online, { type: 'roundDue' }, pushed, pulled).effects).toEqual([{ do: 'push' }]);
});

test('[SYNC-3] failures back off exponentially with jitter, up to a minute, and a success forgets them', () => {
  fc.assert(
    fc.property(fc.nat(1_000), fc.double({ min: 0, max: 1, noNaN: true }), (failures, random) => {
      const ms = backoffMsAfter(failures, random);
      expect(ms).toBeGreaterThanOrEqual(backoffMsMin / 2);
      expect(ms).toBeLessThanOrEqual(backoffMsMax);
    }),
  );
  expect(backoffMsAfter(3, 1)).toBe(8 * backoffMsMin);
  const { state, effects } = run(online, ...outage, { type: 'timer' }, ...outage);
  expect(state).toMatchObject({ phase: 'waiting', failures: 2, unreachable: true });
  expect(effects).toEqual([{ do: 'wait', ms: 2 * backoffMsMin }]);
  expect(run(online, ...outage, { type: 'timer' }, pushed, pulled).state.failures).toBe(0);
});

test('[SYNC-100] with nothing to push, the pulls of an unreachable server back off up to a minute', () => {
  const nothingToPush: SyncEvent = { type: 'pushed', more: false, wasAnswered: false };
  const rounds = Array.from({ length: 8 }, () => [timer, nothingToPush, unreachable]).flat();
  const waits = rounds.flatMap((_event, index) =>
    run(online, nothingToPush, unreachable, ...rounds.slice(0, index + 1)).effects.flatMap((effect) =>
      effect.do === 'wait' ? [effect.ms] : [],
    ),
  );
  expect(waits).toEqual([2, 4, 8, 16, 32, 60, 60, 60].map((secs) => secs * 1_000));
});

test('[SYNC-37] a push that is refused until answers are acknowledged is followed by a pull, which tells what to acknowledge', () => {
  const tooMany = failed({ kind: 'busy', problem: problem('acknowledge_first'), retryAfterMs: null });
  expect(run(online, tooMany).effects).toEqual([{ do: 'pull' }]);
  expect(run(online, tooMany, pulled).state.phase).toBe('waiting');
});

test('[SYNC-54] a failure of the own storage, however often, is no reason to look for a change that brings it about', () => {
  const full = failed({
    kind: 'busy',
    problem: problemOf({ code: 'internal_error', detail: 'On this device: the disk is full.' }),
    retryAfterMs: null,
    isLocal: true,
  });
  for (const times of [1, 3, 9]) {
    const events = Array.from({ length: times }, () => [full, timer]).flat();
    expect(run(online, ...events, full).state).toMatchObject({ phase: 'waiting', suspectPushes: 0 });
  }
});

test('[SYNC-4] Retry-After is honoured, also when pokes come meanwhile', () => {
  const busy = failed({ kind: 'busy', problem: problem('unavailable'), retryAfterMs: 30_000 });
  expect(run(online, busy).effects).toEqual([{ do: 'wait', ms: 30_000 }]);
  expect(run(online, busy, { type: 'pullDue' }).effects).toEqual([]);
  expect(run(online, ...outage, { type: 'pullDue' }).effects).toEqual([{ do: 'push' }]);
});

test('[SYNC-4] however long the server asks to be left alone, it is looked at again within an hour', () => {
  const busy = failed({ kind: 'busy', problem: problem('unavailable'), retryAfterMs: 9_999_999_000 });
  expect(run(online, busy).effects).toEqual([{ do: 'wait', ms: 60 * 60_000 }]);
});

test('[SYNC-5] blocked, it keeps everything, says why, and goes on when asked', () => {
  const blocked = failed({ kind: 'blocked', problem: problem('unauthorized') });
  expect(run(online, blocked).state).toMatchObject({ phase: 'blocked', error: { code: 'unauthorized' } });
  expect(run(online, blocked, { type: 'roundDue' }).effects).toEqual([]);
  expect(run(online, blocked, { type: 'asked' }).effects).toEqual([{ do: 'push' }]);
});

test('[SYNC-33] [SYNC-55] blocked, it looks again soon, then ever later up to 15 minutes, says why all the while, and a round that ends forgets it', () => {
  const refused = (random: number): SyncEvent => ({
    type: 'failed',
    failure: { kind: 'blocked', problem: problem('unauthorized') },
    random,
  });
  const waits = (...events: SyncEvent[]) => run(...events).effects;
  expect(waits(online, refused(0))).toEqual([{ do: 'wait', ms: blockedRetryMsMin / 2 }]);
  expect(waits(online, refused(1))).toEqual([{ do: 'wait', ms: blockedRetryMsMin }]);
  // A push with an empty outbox sends no request, so the wait still grows.
  expect(waits(online, pushed, refused(1), timer, pushed, refused(1))).toEqual([
    { do: 'wait', ms: 2 * blockedRetryMsMin },
  ]);
  const often = Array.from({ length: 50 }, (): SyncEvent[] => [refused(1), timer]).flat();
  expect(waits(online, ...often, refused(1))).toEqual([{ do: 'wait', ms: blockedRetryMsMax }]);
  expect(run(online, ...often).state.error).toMatchObject({ code: 'unauthorized' });
  expect(waits(online, ...often, pushed, pulled, timer, refused(1))).toEqual([{ do: 'wait', ms: blockedRetryMsMin }]);
});

test('[SYNC-6] [SYNC-62] a gap is looked into by a pull, then everything is offered again; a batch that is too large is split', () => {
  const gap = failed({ kind: 'gap', problem: problem('sequence_gap'), clientId });
  const resendAll = [{ do: 'push', first: { kind: 'resendAll', clientId } }];
  const large = failed({ kind: 'too_large', problem: problem('payload_too_large') });
  expect(run(online, gap).effects).toEqual([{ do: 'pull', all: true }]);
  expect(run(online, gap, pulled).effects).toEqual([{ do: 'push' }]);
  expect(run(online, gap, pulled, gap).effects).toEqual(resendAll);
  // A failed pull does not count, nor does a pull before the gap.
  expect(run(online, gap, unreachable, timer, gap).effects).toEqual([{ do: 'pull', all: true }]);
  expect(run(online, gap, unreachable, timer, gap, pulled, gap).effects).toEqual(resendAll);
  expect(run(online, gap, pulled, pushed, pulled, timer, gap).effects).toEqual([{ do: 'pull', all: true }]);
  expect(run(online, large).effects).toEqual([{ do: 'push', first: { kind: 'splitBatch' } }]);
});

test('[SYNC-6] [SYNC-63] it mends also after many failures without an answer, and waits now and then when that does not help', () => {
  const large = failed({ kind: 'too_large', problem: problem('payload_too_large') });
  const failures = Array.from({ length: 50 }, (): SyncEvent[] => [...outage, { type: 'timer' }]).flat();
  expect(run(online, ...failures, large).effects).toEqual([{ do: 'push', first: { kind: 'splitBatch' } }]);
  const recoveries = Array.from({ length: 200 }, (): SyncEvent[] => [large, { type: 'timer' }]).flat();
  let state = run(online).state;
  const effects = recoveries.flatMap((event) => {
    const step = next(state, event);
    state = step.state;
    return step.effects;
  });
  expect(effects.filter((effect) => effect.do === 'wait').length).toBeGreaterThan(3);
  expect(effects.filter((effect) => effect.do === 'push' && effect.first).length).toBeGreaterThan(150);
});

test('[SYNC-10] a person who asks during a round that then fails has it tried once more at once', () => {
  expect(run(online, { type: 'asked' }, unreachable).effects).toEqual([{ do: 'push' }]);
  expect(run(online, { type: 'asked' }, unreachable, ...outage).state.phase).toBe('waiting');
  expect(run(online, unreachable, { type: 'asked' }, pulled).effects).toEqual([{ do: 'push' }]);
});

test('[SYNC-10] also when it fails because of a token that was replaced meanwhile', () => {
  const blocked = failed({ kind: 'blocked', problem: problem('unauthorized') });
  expect(run(online, { type: 'asked' }, blocked).effects).toEqual([{ do: 'push' }]);
  expect(run(online, { type: 'asked' }, blocked, blocked).state.phase).toBe('blocked');
});

test('[SYNC-50] [SYNC-69] pushes that fail while pulls pass are told as an error, and the third is looked into', () => {
  const failure: SyncFailure = {
    kind: 'unreachable',
    detail: 'The answer (200, text/html) is not from Gemba.',
    status: 200,
  };
  const rejected = failed(failure);
  expect(run(online, rejected).effects).toEqual([{ do: 'pull' }]);
  expect(run(online, rejected, pulled)).toMatchObject({
    state: { phase: 'waiting', unreachable: false, error: { detail: expect.stringContaining('200, text/html') } },
    effects: [{ do: 'wait', ms: backoffMsMin }],
  });
  const often = [rejected, pulled, timer, rejected, pulled, timer];
  expect(run(online, ...often, rejected).effects).toEqual([{ do: 'push', first: { kind: 'isolate', failure } }]);
  expect(run(online, ...often, rejected, pushed, pulled).state).toMatchObject({ suspectPushes: 0, error: null });
});

test('[SYNC-73] the Retry-After of a foreign answer is honoured twice before the batch is halved', () => {
  const failure: SyncFailure = {
    kind: 'busy',
    problem: problem('unavailable'),
    retryAfterMs: 30_000,
    isNotGemba: true,
  };
  const page = failed(failure);
  const waits = [{ do: 'wait', ms: 30_000 }];
  expect(run(online, page).effects).toEqual(waits);
  expect(run(online, page, timer, page).effects).toEqual(waits);
  expect(run(online, page, timer, page, timer, page).effects).toEqual([
    { do: 'push', first: { kind: 'isolate', failure } },
  ]);
});

test('[SYNC-51] when pulls fail, too, it is offline without an error, and no content is suspected', () => {
  for (const status of [undefined, 200, 403]) {
    const noAnswer = failed({ kind: 'unreachable', detail: 'x', ...(status ? { status } : {}) });
    const often = Array.from({ length: 20 }, (): SyncEvent[] => [noAnswer, noAnswer, timer]).flat();
    expect(run(online, ...often, noAnswer).effects).toEqual([{ do: 'pull' }]);
    expect(run(online, ...often, noAnswer, noAnswer).state).toMatchObject({ unreachable: true, error: null });
  }
});

test('[SYNC-74] a push that took too long is no sign of a firewall', () => {
  const slow = failed({ kind: 'unreachable', detail: 'The server took too long.', timedOut: true });
  expect(run(online, slow)).toMatchObject({
    state: { suspectPushes: 0, unreachable: true },
    effects: [{ do: 'wait' }],
  });
});

test('[SYNC-14] a round in which nothing moves is aborted, begun anew, and told in words until one ends', () => {
  for (const round of [[online], [online, pushed]]) {
    const { state, effects } = run(...round, { type: 'stalled' });
    expect(effects).toEqual([{ do: 'abort' }, { do: 'push' }]);
    expect(state).toMatchObject({ phase: 'pushing', stalls: 1, error: { title: 'The sync stood still' } });
    expect(run(...round, { type: 'stalled' }, pushed, { type: 'stalled' }).state.stalls).toBe(2);
    expect(run(...round, { type: 'stalled' }, pushed, pulled).state).toMatchObject({ stalls: 0, error: null });
  }
  expect(run(...idle, { type: 'stalled' })).toMatchObject({ state: { phase: 'idle', error: null }, effects: [] });
});

test('[SYNC-7] losing the network aborts what is under way, and having it again starts a round', () => {
  expect(run(online, { type: 'offline' }).effects).toEqual([{ do: 'abort' }]);
  expect(run(online, { type: 'offline' }, online).effects).toEqual([{ do: 'push' }]);
});

test('[SYNC-22] a leader that takes over a wait begins with what is left of it, up to an hour', () => {
  expect(run({ type: 'online', retryAfterMs: 45_000 })).toMatchObject({
    state: { phase: 'waiting' },
    effects: [{ do: 'wait', ms: 45_000 }],
  });
  expect(run({ type: 'online', retryAfterMs: 86_400_000 }).effects).toEqual([{ do: 'wait', ms: 3_600_000 }]);
  expect(run({ type: 'online', retryAfterMs: 45_000 }, { type: 'timer' }).effects).toEqual([{ do: 'push' }]);
  expect(run({ type: 'online', retryAfterMs: -5 }).effects).toEqual([{ do: 'push' }]);
});
