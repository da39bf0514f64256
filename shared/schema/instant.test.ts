import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isInstant } from './instant.ts';

test('[SCHEMA-1] an instant is an RFC 3339 time of a day that exists', () => {
  const instants = [
    '2026-04-01T09:30:00.000Z',
    '2026-04-01T09:30:00Z',
    '2026-04-01T09:30:00.123456789Z',
    '2026-04-01T09:30:00+02:00',
    '2026-04-01T09:30:00.5-11:30',
    '2024-02-29T23:59:59Z',
    '2000-02-29T00:00:00Z',
    '0000-02-29T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    '9999-12-31T23:59:59+00:01',
  ];
  for (const text of instants) expect(isInstant(text), text).toBe(true);
  const others = [
    '',
    '2026-02-30T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-06-30T23:59:60Z',
    '2026-04-01T24:00:00Z',
    '2026-04-01T09:60:00Z',
    '2026-04-01T09:30:00',
    '2026-04-01 09:30:00Z',
    '2026-04-01T09:30Z',
    '2026-04-01T09:30:00.Z',
    '2026-04-01T09:30:00.1234567890Z',
    '2026-04-01T09:30:00+24:00',
    '2026-04-01T09:30:00+0200',
    '2026-04-01',
    '+002026-04-01T09:30:00Z',
    '2026-04-01T09:30:00Z\n',
    '1775035800000',
  ];
  for (const text of others) expect(isInstant(text), text).toBe(false);
});

test('[SCHEMA-2] whatever passes for an instant has a 24-character form in UTC', () => {
  expect(isInstant('0000-01-01T00:30:00+01:00')).toBe(false);
  expect(isInstant('9999-12-31T23:30:00-01:00')).toBe(false);
  const two = (max: number, min = 0) => fc.integer({ min, max }).map((number) => String(number).padStart(2, '0'));
  const year = fc.oneof(
    fc.constantFrom('0000', '0096', '9999'),
    two(9999).map((text) => text.padStart(4, '0')),
  );
  const offset = fc.oneof(
    fc.constant('Z'),
    fc.tuple(fc.constantFrom('+', '-'), two(24), two(60)).map(([sign, h, m]) => `${sign}${h}:${m}`),
  );
  const anyText = fc
    .tuple(year, two(13), two(32), two(24), two(60), two(60), fc.constantFrom('', '.1', '.123', '.123456789'), offset)
    .map(([y, mo, d, h, mi, s, fraction, zone]) => `${y}-${mo}-${d}T${h}:${mi}:${s}${fraction}${zone}`);
  const seed = process.env['GEMBA_SEED'];
  fc.assert(
    fc.property(anyText, (text) => {
      if (isInstant(text)) expect(new Date(text).toISOString()).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }),
    { numRuns: 3_000, ...(seed === undefined ? {} : { seed: Number(seed) }) },
  );
});
