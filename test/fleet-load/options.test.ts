import { expect, test } from 'vitest';
import { parseOptions } from './options.ts';

test('[LOAD-8] without options 10,000 devices work for 4 minutes on PostgreSQL', () => {
  expect(parseOptions(['--seed', '5'])).toEqual({
    ok: true,
    options: { devices: 10_000, minutes: 4, seed: 5, sqlite: false, smoke: false },
  });
  expect(parseOptions([])).toMatchObject({ ok: true, options: { seed: expect.any(Number) as number } });
});

test.each([
  [['--devices', '20001'], '--devices'],
  [['--devices', '19'], '--devices'],
  [['--devices', '20.5'], '--devices'],
  [['--minutes', '31'], '--minutes'],
  [['--minutes', '0'], '--minutes'],
  [['--minutes', 'ten'], '--minutes'],
  [['--seed', '-1'], '--seed'],
  [['--seed', '4294967296'], '--seed'],
  [['--turbo'], '--turbo'],
  [['here'], 'here'],
])('[LOAD-8] %j is refused', (args, named) => {
  const parsed = parseOptions(args);
  expect(parsed).toMatchObject({ ok: false, problem: expect.stringContaining(named) as string });
});
