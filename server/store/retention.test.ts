import { onTestFinished, expect, test, vi } from 'vitest';
import { sweepAllAccounts, startDailySweeps } from './retention.ts';
import type { SweepCutoffs } from './queries.ts';
import { StoreUnavailable, type Store } from './store.ts';

const hourMs = 3_600_000;

test('[MUTATE-34] a sweep removes at most 100 rows at a time, and goes on after a full batch', async () => {
  const batches: SweepCutoffs[] = [];
  const store: Pick<Store, 'accountIds' | 'sweepAccount'> = {
    accountIds: async () => ['account'],
    sweepAccount: async (_accountId, retention) => {
      batches.push(retention);
      return {
        idempotencyKeys: batches.length === 1 ? 100 : 0,
        deviceStatuses: 0,
        pushAnswers: 0,
        tokens: 0,
        devices: 0,
        events: 0,
        webhookDeliveries: 0,
      };
    },
  };
  await sweepAllAccounts({ store: store as Store, now: Date.now });
  expect(batches.map(({ rowsMax }) => rowsMax)).toEqual([100, 100]);
});

test('[MUTATE-35] the first sweep begins an hour after the start, the next a day after the last', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let sweeps = 0;
  const accountIds = async () => {
    sweeps += 1;
    return [];
  };
  const onBug = (error: unknown) => expect.fail(String(error));
  const stop = startDailySweeps({ store: { accountIds } as Partial<Store> as Store, now: Date.now, onBug });
  const sweepsAfter = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms);
    return sweeps;
  };
  expect(await sweepsAfter(hourMs - 1)).toBe(0);
  expect(await sweepsAfter(1)).toBe(1);
  expect(await sweepsAfter(24 * hourMs - 1)).toBe(1);
  expect(await sweepsAfter(1)).toBe(2);
  await stop();
});

test('[PHOTO-29] an account whose photos cannot be swept keeps no other waiting, and an outage ends the sweep', async () => {
  const none = {
    idempotencyKeys: 0,
    deviceStatuses: 0,
    pushAnswers: 0,
    tokens: 0,
    devices: 0,
    events: 0,
    webhookDeliveries: 0,
  };
  const store: Pick<Store, 'accountIds' | 'sweepAccount'> = {
    accountIds: async () => ['first', 'second'],
    sweepAccount: async () => none,
  };
  const sweepWith = async (failure: Error) => {
    const swept: string[] = [];
    const failures: unknown[] = [];
    const sweepOtherData = async (accountId: string) => {
      swept.push(accountId);
      if (accountId === 'first') throw failure;
    };
    const onOtherDataFailed = (error: unknown) => void failures.push(error);
    const sweep = sweepAllAccounts({ store: store as Store, now: Date.now, sweepOtherData, onOtherDataFailed });
    const outcome = await sweep.catch((error: unknown) => error);
    return { swept, failures, outcome };
  };
  const broken = new Error('the folder cannot be read');
  expect(await sweepWith(broken)).toEqual({ swept: ['first', 'second'], failures: [broken], outcome: undefined });
  const outage = new StoreUnavailable('gone');
  expect(await sweepWith(outage)).toEqual({ swept: ['first'], failures: [], outcome: outage });
});
