import { expect, test } from 'vitest';
import type { DeliveryState } from '../store/webhooks/webhook-row.ts';
import { stateAfterAttempt } from './next-state.ts';

const start: DeliveryState = {
  disabled_reason: null,
  cursor: 4,
  tries: 0,
  next_attempt_at: null,
  failing_since: null,
  failing_from: null,
  last_success_at: null,
};
const now = Date.parse('2026-07-01T08:00:00.000Z');
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

test('[HOOK-4] an event that is taken moves the cursor', () => {
  const tried = { version: 7, response: { status: 204 }, now, createdAt: 0, random: 0 };
  const failing = { ...start, tries: 3, failing_since: '2026-06-30T08:00:00.000Z', failing_from: 4 };
  expect(stateAfterAttempt(failing, tried)).toEqual({
    state: { ...start, cursor: 7, last_success_at: '2026-07-01T08:00:00.000Z' },
    outcome: 'delivered',
  });
});

test('[HOOK-4] a failed event is tried after 5 s, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours, and then set aside', () => {
  let state = start;
  let at = now;
  const waits: number[] = [];
  for (let tries = 1; tries <= 9; tries++) {
    const next = stateAfterAttempt(state, { version: 7, response: { status: 500 }, now: at, createdAt: 0, random: 0 });
    expect([next.outcome, next.state.cursor, next.state.tries]).toEqual(['failed', 4, tries]);
    waits.push(Date.parse(next.state.next_attempt_at!) - at);
    ({ state } = next);
    at = Date.parse(next.state.next_attempt_at!);
  }
  expect(waits).toEqual([5_000, 5 * minuteMs, 30 * minuteMs, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hourMs)]);
  const last = stateAfterAttempt(state, { version: 7, response: { status: null }, now: at, createdAt: 0, random: 0 });
  expect(last.outcome).toBe('set_aside');
  expect(last.state).toMatchObject({ cursor: 7, tries: 0, next_attempt_at: null, disabled_reason: null });
});

test('[HOOK-4] Retry-After counts up to an hour, and a wait is spread by a tenth', () => {
  const waitFor = (retryAfterMs: number, random = 0) => {
    const { state } = stateAfterAttempt(start, {
      version: 7,
      response: { status: 503, retryAfterMs },
      now,
      createdAt: 0,
      random,
    });
    return Date.parse(state.next_attempt_at!) - now;
  };
  expect([waitFor(60_000), waitFor(9 * hourMs), waitFor(1)]).toEqual([60_000, hourMs, 5_000]);
  expect(waitFor(0, 0.5)).toBe(5_250);
});

test('[HOOK-6] an endpoint that is gone, or took nothing for five days, is disabled and keeps its event', () => {
  const gone = stateAfterAttempt(start, { version: 7, response: { status: 410 }, now, createdAt: 0, random: 0 });
  expect(gone.state).toMatchObject({ disabled_reason: 'gone', cursor: 4 });
  const failing = { ...start, tries: 2, failing_since: new Date(now - 5 * 24 * hourMs).toISOString(), failing_from: 3 };
  const silent = { version: 7, response: { status: null }, now, createdAt: 0, random: 0 };
  expect(stateAfterAttempt(failing, silent).state).toMatchObject({ disabled_reason: 'failing', tries: 0 });
  const almost = { ...failing, failing_since: new Date(now - 5 * 24 * hourMs + 1).toISOString() };
  expect(stateAfterAttempt(almost, silent).state.disabled_reason).toBeNull();
});

test('[HOOK-6] an endpoint that took nothing at all for five days goes on at the first event, also if that was set aside', () => {
  let state = start;
  let at = now;
  let version = 5;
  while (state.disabled_reason === null) {
    const next = stateAfterAttempt(state, { version, response: { status: 500 }, now: at, createdAt: 0, random: 0 });
    if (next.outcome === 'set_aside') version += 1;
    ({ state } = next);
    at = Math.max(at, Date.parse(state.next_attempt_at ?? '') || at);
  }
  expect(version).toBe(6);
  expect(state).toMatchObject({ disabled_reason: 'failing', cursor: 4 });
  expect(at - now).toBeGreaterThanOrEqual(5 * 24 * hourMs);
});

test('[HOOK-6] an endpoint for which nothing waited begins to fail with its next event', () => {
  const quiet = { ...start, failing_since: new Date(now - 14 * 24 * hourMs).toISOString(), failing_from: 4 };
  const tried = { version: 7, response: { status: 503 }, now, createdAt: now - 1_000, random: 0 };
  expect(stateAfterAttempt(quiet, tried).state).toMatchObject({
    disabled_reason: null,
    failing_since: new Date(now).toISOString(),
    failing_from: 4,
  });
  expect(stateAfterAttempt(quiet, { ...tried, createdAt: now - hourMs }).state.disabled_reason).toBe('failing');
});

test('[HOOK-6] an endpoint that takes none of its rare events is disabled, and goes on at the first that was set aside', () => {
  let state = start;
  for (let version = 5, at = now; state.disabled_reason === null && version < 20; version++) {
    const createdAt = at;
    let outcome = 'failed';
    while (outcome === 'failed' && state.disabled_reason === null) {
      ({ state, outcome } = stateAfterAttempt(state, {
        version,
        response: { status: 503 },
        now: at,
        createdAt,
        random: 0,
      }));
      at = Math.max(at, Date.parse(state.next_attempt_at ?? '') || at);
    }
    at += 4 * 24 * hourMs;
  }
  expect(state).toMatchObject({ disabled_reason: 'failing', cursor: 4 });
});
