import { expect, test } from 'vitest';
import { manualTimers } from '../../test/device/manual-timers.ts';
import { carrierSendRate, carrierReadRate, networkSendRate, RateLimiter } from './request-rate.ts';

test('[PHOTO-57] 60 requests go at once, and then five a second', async () => {
  const timers = manualTimers();
  let nowMs = 0;
  const limiter = new RateLimiter({ monotonicMs: () => nowMs, schedule: timers.clock.schedule }, networkSendRate);
  const { signal } = new AbortController();
  let sent = 0;
  const all = (async () => {
    for (; sent < 100; sent++) await limiter.wait(signal);
  })();
  const pass = async (ms: number) => {
    nowMs += ms;
    timers.pass(ms);
    await new Promise(setImmediate);
  };
  await pass(0);
  expect(sent).toBe(60);
  for (let second = 0; second < 4; second++) for (let part = 0; part < 5; part++) await pass(200);
  expect(sent).toBe(80);
  for (let part = 0; part < 20; part++) await pass(200);
  await all;
});

test('[PHOTO-90] by way of a carrier, sending and reading have 10 requests at once and 30 a minute together', () => {
  expect(carrierSendRate).toEqual({ burstMax: 6, requestsPerSec: 18 / 60 });
  expect(carrierReadRate).toEqual({ burstMax: 4, requestsPerSec: 12 / 60 });
});

test('[PHOTO-57] a request that is not needed any more waits for nothing', async () => {
  const timers = manualTimers();
  const limiter = new RateLimiter({ monotonicMs: () => 0, schedule: timers.clock.schedule }, networkSendRate);
  const controller = new AbortController();
  for (let request = 0; request < 60; request++) await limiter.wait(controller.signal);
  const waiting = limiter.wait(controller.signal);
  controller.abort();
  await waiting;
  expect(timers.has(200)).toBe(false);
});

test('[PHOTO-57] a request that is aborted before it waits takes no share of the others', async () => {
  const timers = manualTimers();
  const limiter = new RateLimiter({ monotonicMs: () => 0, schedule: timers.clock.schedule }, networkSendRate);
  const { signal } = new AbortController();
  for (let request = 0; request < 60; request++) await limiter.wait(AbortSignal.abort());
  for (let request = 0; request < 60; request++) void limiter.wait(signal);
  expect(timers.has(200)).toBe(false);
  void limiter.wait(signal);
  expect(timers.has(200)).toBe(true);
});
