import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDeviceReport } from '../../shared/protocol/device-report.ts';
import { parseReport } from './parse-report.ts';

const emptyReport = {
  oldestSecs: null,
  attention: 0,
  battery: null,
  storage_free: null,
  second_copy: null,
  app_version: null,
  platform: null,
};

test('[FLEET-1] [FLEET-2] what a device writes is what the server reads', () => {
  const report = fc.record(
    {
      pending: fc.nat(),
      oldest_secs: fc.nat({ max: 300_000_000 }),
      attention: fc.nat(),
      battery: fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10),
      storage_free: fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10),
      second_copy: fc.constantFrom('kept', 'behind', 'none'),
      platform: fc.constantFrom('web', 'node'),
      app_version: fc.stringMatching(/^[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}$/),
    },
    { requiredKeys: ['pending', 'attention', 'second_copy', 'platform', 'app_version'] },
  );
  fc.assert(
    fc.property(report, (sent) => {
      const { oldest_secs, battery = null, storage_free = null, ...rest } = sent;
      const oldestSecs = sent.pending === 0 ? null : (oldest_secs ?? null);
      expect(parseReport(formatDeviceReport(sent))).toEqual({
        ...rest,
        pending: Math.min(rest.pending, 1_000_000_000),
        attention: Math.min(rest.attention, 1_000_000_000),
        battery,
        storage_free,
        oldestSecs,
      });
    }),
  );
});

test('[FLEET-3] unknown members and members of another type are left out', () => {
  expect(parseReport('pending=3')).toEqual({ pending: 3, ...emptyReport });
  const rest = 'photos=4, carrying=("a" "b"), place="here", raw=:AAA=:, on, when=@1775001600';
  expect(parseReport(`pending=3;unit=changes, ${rest}`)).toEqual({ pending: 3, ...emptyReport });
  const wrong = 'oldest="2", attention=-1, battery=1.5, storage=full, second_copy=maybe, platform="web", app=1';
  expect(parseReport(`pending=3, ${wrong}`)).toEqual({ pending: 3, ...emptyReport });
  expect(parseReport('pending=1, battery=0.44, app="<b>"')).toEqual({ pending: 1, ...emptyReport, battery: 0.4 });
  expect(parseReport(`pending=1, app="${'1'.repeat(33)}"`)).toEqual({ pending: 1, ...emptyReport });
  expect(parseReport('pending=999999999999999, oldest=999999999999999')).toEqual({
    pending: 1_000_000_000,
    ...emptyReport,
    oldestSecs: 315_360_000,
  });
});

test('[FLEET-3] a header that is no report is none', () => {
  const noReports = [
    undefined,
    '',
    'pending',
    'pending=a',
    'pending=1.5',
    'pending=-1',
    'PENDING=1',
    'pending=1,',
    '=',
    '"',
  ];
  for (const header of noReports) expect(parseReport(header), header).toBeUndefined();
  expect(parseReport(`pending=1, x="${'x'.repeat(1_000)}"`)).toBeUndefined();
});

test('[FLEET-3] no header makes it throw, or take longer than a moment', () => {
  const piece = fc.constantFrom(
    'pending',
    '=',
    '1',
    '(',
    ')',
    ';',
    ',',
    '"',
    '\\',
    ':',
    '@',
    '%"',
    '?',
    '.',
    '-',
    '*',
    ' ',
  );
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 1_100 }),
    fc.array(piece, { maxLength: 300 }).map((all) => all.join('')),
  );
  fc.assert(
    fc.property(hostile, (header) => {
      const parsed = parseReport(header);
      if (parsed) expect(Number.isSafeInteger(parsed.pending)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});
