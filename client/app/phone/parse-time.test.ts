import { expect, onTestFinished, test } from 'vitest';
import { durationText, setTimeNotation } from '../text/format.ts';
import { namedUnitSecs, parseClockTime, parseTime, understoodTimeText } from './parse-time.ts';

test('[APP-156] minutes and seconds are read as they are written, and nothing else', () => {
  expect(['1:30', ' 0:48.7', '0:05,5', '90:00', '1:02:33', '1:30.'].map(parseClockTime)).toEqual([
    90, 48.7, 5.5, 5_400, 3_753, 90,
  ]);
  expect(['', '90', ':30', '1:60', '1:90:00', '1:2:3:4', '-1:30', '1:3o'].map(parseClockTime)).toEqual(
    Array.from({ length: 8 }, () => Number.NaN),
  );
  for (const secs of [0, 42.5, 754.3, 3_599.9, 3_600, 86_399])
    expect(parseClockTime(durationText(secs))).toBeCloseTo(secs, 6);
});

test('[APP-363] both notations are read in either, and a number alone in the unit of its field or in centiminutes', () => {
  const texts = [
    '1:30',
    '150 cmin',
    '150,5cmin',
    '150 HM',
    '1.5 min',
    '90 s',
    '12\u202f500 cmin',
    '.5 min',
    '75',
    '1.5 days',
    '-3 s',
  ];
  const read = [90, 90, 90.3, 90, 90, 90, 7_500, 30, Number.NaN, Number.NaN, Number.NaN];
  const readAll = () => texts.map((text) => Number(parseTime(text).toFixed(6)));
  expect(readAll()).toEqual(read);
  expect(parseTime('75', 60)).toBe(4_500);
  expect(understoodTimeText('150 cmin', 90)).toBe('= 1:30.0');
  expect([understoodTimeText('1:30', 90), understoodTimeText('', 90), understoodTimeText('x', Number.NaN)]).toEqual([
    '',
    '',
    '',
  ]);
  setTimeNotation('centiminute');
  onTestFinished(() => setTimeNotation('clock'));
  expect(readAll()).toEqual(read.with(texts.indexOf('75'), 45));
  expect(understoodTimeText('1:30', 90)).toBe('= 150.0\u00a0cmin');
  for (const secs of [0, 42.5, 754.3, 3_600, 86_399])
    expect(Math.abs(parseTime(durationText(secs)) - secs)).toBeLessThanOrEqual(0.31);
});

test('[APP-156] the unit that a text names is told, and none for a number or a clock time', () => {
  expect(['90 s', '1,5 min.', '150 HM', '125 cmin', '2h', '90', '1:30', ''].map(namedUnitSecs)).toEqual([
    1,
    60,
    0.6,
    0.6,
    3_600,
    undefined,
    undefined,
    undefined,
  ]);
});
