import { expect, onTestFinished, test } from 'vitest';
import { durationText, setTimeNotation } from '../../text/format.ts';
import { shownDifferenceSecs, signedDurationText } from '../../text/phone-signed.ts';

const differenceText = (before: number, after: number) => signedDurationText(shownDifferenceSecs(before, after));

test('[APP-455] a difference is that of the figures beside it, however small it is', () => {
  expect([120.46, 120.44].map(durationText)).toEqual(['2:00.5', '2:00.4']);
  expect(differenceText(120.46, 120.44)).toBe('−0:00.1');
  expect(differenceText(120.44, 120.36)).toBe('0:00.0');
  expect(differenceText(60, 72.4)).toBe('+0:12.4');
  expect(differenceText(3_600.4, 3_599.94)).toBe('−0:00.1');
  expect(differenceText(5_000.4, 5_000.6)).toBe('+0:01.0');
  expect(differenceText(86_400, 129_600)).toBe('+12:00:00');
});

test('[APP-455] in centiminutes a difference is that of the figures, too', () => {
  setTimeNotation('centiminute');
  onTestFinished(() => setTimeNotation('clock'));
  expect([120.04, 120.02].map(durationText)).toEqual(['200.1\u00a0cmin', '200.0\u00a0cmin']);
  expect(differenceText(120.04, 120.02)).toBe('−0.1\u00a0cmin');
});
