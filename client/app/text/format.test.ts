import { expect, onTestFinished, test, vi } from 'vitest';
import type { Status } from '../../client.ts';
import { summaryOfStatus } from '../ui/status-pill.tsx';
import { texts } from './en/texts.ts';
import { clockParts, clockText, durationText, numberText, percentText, setTimeNotation, waitText } from './format.ts';
import { axisText, axisUnitText } from './phone-axis.ts';
import { spokenTimes } from './spoken-times.ts';

test('[APP-14] a clock counts on past the hour, and never below 0', () => {
  expect([0, 7.9, 760, 3_753, -3].map(clockText)).toEqual(['0:00', '0:07', '12:40', '1:02:33', '0:00']);
});

test('[APP-155] a duration has one notation, rounded to tenths below an hour', () => {
  const secs = [0, 42, 48.72, 59.96, 75, 3_599.94, 3_599.96, 5_430.5, 86_399.7, 129_600];
  expect(secs.map(durationText)).toEqual([
    '0:00.0',
    '0:42.0',
    '0:48.7',
    '1:00.0',
    '1:15.0',
    '59:59.9',
    '1:00:00',
    '1:30:31',
    '1 day',
    '1.5 days',
  ]);
  expect([0, 15, 75, 3_600, 172_800].map(axisText)).toEqual(['0:00', '0:15', '1:15', '1:00:00', '2 days']);
});

test('[APP-360] [APP-361] in centiminutes a time has one decimal, from an hour on none, and from a day on is days', () => {
  setTimeNotation('centiminute');
  onTestFinished(() => setTimeNotation('clock'));
  const secs = [0, 42, 75.18, 3_599.96, 3_599.98, 7_530, 86_399.4, 86_399.7, 129_600];
  expect(secs.map((value) => durationText(value).replaceAll('\u00a0', ' ').replaceAll('\u202f', ' '))).toEqual([
    '0.0 cmin',
    '70.0 cmin',
    '125.3 cmin',
    '5999.9 cmin',
    '6000 cmin',
    '12 550 cmin',
    '143 999 cmin',
    '1 day',
    '1.5 days',
  ]);
  expect([0, 75.5, 12_000].map(axisText)).toEqual(['0', '126', '20\u202f000']);
  expect([60, 86_400].map(axisUnitText)).toEqual(['cmin', '']);
  expect(clockParts(75.59)).toEqual({ whole: '125', tenth: '.9', unit: 'cmin' });
  expect(clockText(-1)).toBe('0\u00a0cmin');
});

test('[APP-364] a spoken time has its unit as a word', async () => {
  setTimeNotation('centiminute');
  onTestFinished(() => setTimeNotation('clock'));
  expect(spokenTimes(`From ${durationText(75.18)} to ${durationText(7_530)}, step ${clockText(0.7)}`)).toBe(
    'From 125.3 centiminutes to 12550 centiminutes, step 1 centiminute',
  );
});

test('[APP-14] a wait has the unit that fits it', () => {
  expect([42, 90].map(waitText)).toEqual(['42 sec', '1.5 min']);
  expect(percentText(0.702)).toContain('70');
});

const idle: Status = {
  phase: 'idle',
  pending: 0,
  pending_steps: 0,
  oldest_pending_at: null,
  last_synced_at: null,
  attention: 0,
  error: null,
  progress: null,
  second_copy: 'kept' as Status['second_copy'],
};
const unauthorized = { code: 'unauthorized', detail: 'no' } as unknown as Status['error'];
const rateLimited = { code: 'rate_limited', detail: 'slower' } as unknown as Status['error'];
const storageFull = { code: 'storage_full', detail: 'full' } as unknown as Status['error'];

test.each<[Partial<Status>, string]>([
  [{}, 'All safe on the server'],
  [{ phase: 'syncing' }, 'All safe on the server'],
  [{ phase: 'syncing', pending: 3 }, 'Sending 3'],
  [{ pending: 3 }, '3 changes to upload'],
  [{ phase: 'offline' }, 'Offline'],
  [{ phase: 'offline', pending: 3 }, 'Offline · 3 changes to upload'],
  [{ phase: 'waiting', pending: 3 }, 'Trying again'],
  [{ phase: 'waiting', pending: 3, error: rateLimited }, 'Server is busy, trying again'],
  [{ attention: 1 }, '1 item needs attention'],
  [{ phase: 'offline', attention: 2 }, '2 items need attention'],
  [{ phase: 'blocked' }, 'Sync stopped'],
  [{ phase: 'blocked', error: unauthorized }, 'No longer paired'],
  [{ error: storageFull }, 'Storage problem'],
])('[APP-15] [APP-297] of %j it says "%s"', (changed, said) => {
  expect(summaryOfStatus({ ...idle, ...changed }, texts.status).text).toBe(said);
});

test('[APP-532] formats are made at their first use, once', async () => {
  const made: string[] = [];
  const counted = Object.getOwnPropertyNames(Intl).map((name) => {
    const format: unknown = Intl[name as keyof typeof Intl];
    if (typeof format !== 'function' || name === 'Locale') return [name, format];
    const construct = (target: new () => object, args: [], self: new () => object) => {
      made.push(name);
      return Reflect.construct(target, args, self) as object;
    };
    return [name, new Proxy(format as new () => object, { construct })];
  });
  vi.stubGlobal('Intl', Object.fromEntries(counted));
  vi.resetModules();
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });
  const format = await import('./format.ts');
  await import('./format-watch.ts');
  expect(made).toEqual([]);
  expect([format.numberText(999), format.countText(1, 'map', 'maps')]).toEqual(['999', '1 map']);
  expect(made).toEqual([]);
  expect([1_000, 2.5, -1].map(format.numberText)).toEqual(['1,000', '2.5', '-1']);
  expect(made).toEqual(['NumberFormat']);
});

test.each(['en', 'en-GB', 'en-IN', 'en-ZA', 'de', 'de-AT', 'de-CH'])(
  '[APP-532] what is written without a format is as %s writes it',
  (locale) => {
    const [format, rules] = [new Intl.NumberFormat(locale), new Intl.PluralRules(locale)];
    const numbers = Array.from({ length: 1_000 }, (_, number) => number);
    expect(numbers.map((number) => format.format(number))).toEqual(numbers.map(numberText));
    const singular = [...numbers, 0.5, 1.5].filter((number) => rules.select(number) === 'one');
    expect(singular).toEqual([1]);
  },
);
