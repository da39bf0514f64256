import { expect, test } from 'vitest';
import type { DeliveryState } from '../store/webhooks/webhook-row.ts';
import { stateAfter } from './next-state.ts';

const start: DeliveryState = {
  is_disabled: false,
  cursor: 4,
  tries: 0,
  next_attempt_at: null,
  failing_since: null,
  last_success_at: null,
};
const now = Date.parse('2026-07-01T08:00:00.000Z');
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

test('[HOOK-4] an event that is taken moves the cursor', () => {
  const tried = { version: 7, answer: { status: 204 }, now, random: 0 };
  const failing = { ...start, tries: 3, failing_since: '2026-06-30T08:00:00.000Z' };
  expect(stateAfter(failing, tried)).toEqual({
    state: { ...start, cursor: 7, last_success_at: '2026-07-01T08:00:00.000Z' },
    outcome: 'delivered',
  });
});

test('[HOOK-4] a failed event is tried after 5 s, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours, and then set aside', () => {
  let state = start;
  let at = now;
  const waits: number[] = [];
  for (let tries = 1; tries <= 9; tries++) {
    const next = stateAfter(state, { version: 7, answer: { status: 500 }, now: at, random: 0 });
    expect([next.outcome, next.state.cursor, next.state.tries]).toEqual(['failed', 4, tries]);
    waits.push(Date.parse(next.state.next_attempt_at!) - at);
    ({ state } = next);
    at = Date.parse(next.state.next_attempt_at!);
  }
  expect(waits).toEqual([5_000, 5 * minuteMs, 30 * minuteMs, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hourMs)]);
  const last = stateAfter(state, { version: 7, answer: { status: null }, now: at, random: 0 });
  expect(last.outcome).toBe('set_aside');
  expect(last.state).toMatchObject({ cursor: 7, tries: 0, next_attempt_at: null, is_disabled: false });
});

test('[HOOK-4] Retry-After counts up to an hour, and a wait is spread by a tenth', () => {
  const waitFor = (retryAfterMs: number, random = 0) => {
    const { state } = stateAfter(start, { version: 7, answer: { status: 503, retryAfterMs }, now, random });
    return Date.parse(state.next_attempt_at!) - now;
  };
  expect([waitFor(60_000), waitFor(9 * hourMs), waitFor(1)]).toEqual([60_000, hourMs, 5_000]);
  expect(waitFor(0, 0.5)).toBe(5_250);
});

test('[HOOK-6] an endpoint that is gone, or took nothing for five days, is disabled and keeps its event', () => {
  const gone = stateAfter(start, { version: 7, answer: { status: 410 }, now, random: 0 });
  expect(gone.state).toMatchObject({ is_disabled: true, cursor: 4 });
  const failing = { ...start, tries: 2, failing_since: new Date(now - 5 * 24 * hourMs).toISOString() };
  const dead = stateAfter(failing, { version: 7, answer: { status: null }, now, random: 0 });
  expect(dead.state).toMatchObject({ is_disabled: true, cursor: 4 });
  const almost = { ...failing, failing_since: new Date(now - 5 * 24 * hourMs + 1).toISOString() };
  expect(stateAfter(almost, { version: 7, answer: { status: null }, now, random: 0 }).state.is_disabled).toBe(false);
});
