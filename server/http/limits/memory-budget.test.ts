import { describe, expect, test } from 'vitest';
import {
  responseMemoryLimits,
  bodyMemoryLimits,
  createMemoryBudget,
  memoryHoldersOf,
  type MemoryLimits,
} from './memory-budget.ts';

const mebibyte = 1024 * 1024;
const caller = (accountId: string, tokenHash: string) =>
  ({ accountId, tokenHash }) as Parameters<typeof memoryHoldersOf>[1];

/** Returns how many MiB the given callers can take together before a refusal, and the code of the refusal. */
function fillBudget(limits: MemoryLimits, given: { accountId: string; tokenHash: string }[]): [number, string] {
  const budget = createMemoryBudget(limits);
  for (let taken = 0; ; taken += 1) {
    for (const { accountId, tokenHash } of given) {
      const payers = memoryHoldersOf(limits, caller(accountId, tokenHash), '192.0.2.1');
      const refused = budget.lease(payers).take(mebibyte / given.length);
      if (refused) return [taken, refused.error.code];
    }
  }
}

const tokens = (count: number, accountOf: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => ({ accountId: accountOf(index), tokenHash: String(index) }));

describe.each([
  ['[LIMIT-10] [LIMIT-35] bodies', bodyMemoryLimits, { token: 16, account: 32, all: 128 }],
  ['[LIMIT-16] [LIMIT-38] answers', responseMemoryLimits, { token: 64, account: 128, all: 256 }],
])('%s under way hold', (_name, limits, { token, account, all }) => {
  test(`${token} MiB of a token`, () => {
    expect(
      fillBudget(
        limits,
        tokens(1, () => 'a'),
      ),
    ).toEqual([token, 'rate_limited']);
  });

  test(`${account} MiB of an account`, () => {
    expect(
      fillBudget(
        limits,
        tokens(4, () => 'a'),
      ),
    ).toEqual([account, 'rate_limited']);
  });

  test(`${all} MiB of a process`, () => {
    expect(fillBudget(limits, tokens(16, String))).toEqual([all, 'unavailable']);
  });
});

test('[LIMIT-34] bodies under way hold 1 MiB of an address without a token', () => {
  expect(fillBudget(bodyMemoryLimits, [{ accountId: '', tokenHash: '' }])).toEqual([1, 'rate_limited']);
});
