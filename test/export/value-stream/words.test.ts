/** The drawing says what the app says. */
import { expect, test } from 'vitest';
import * as germanMaps from '../../../client/app/text/de/phone-maps.ts';
import * as german from '../../../client/app/text/de/texts.ts';
import * as englishMaps from '../../../client/app/text/en/phone-maps.ts';
import * as english from '../../../client/app/text/en/texts.ts';
import { shareText, timeText } from '../../../shared/value-stream/quantities.ts';
import { drawingWords } from '../../../shared/value-stream/words.ts';

test.each([
  ['en', englishMaps, english],
  ['de', germanMaps, german],
] as const)(
  '[EXPORT-34] the words in %s are those of the app',
  (lang, { valueStreamTexts, mapDialogTexts }, { texts }) => {
    const { title, lead, cycle, valueAdd, unjudged, wait, pce, states, workTypes, waits } = drawingWords[lang];
    const { pce: short, pceLong, waits: waitsOfApp } = valueStreamTexts;
    expect(valueStreamTexts).toMatchObject({ title, lead, cycle, valueAdd, unjudged, wait });
    expect(pce).toBe(`${pceLong} (${short})`);
    expect(waits('x')).toBe(waitsOfApp('x'));
    expect(states).toEqual(mapDialogTexts.states);
    expect(workTypes).toEqual(texts.workTypes);
  },
);

test('[EXPORT-34] times have the symbols of their units, and numbers the decimal point of the language', () => {
  const { en, de } = drawingWords;
  const secs = (value: number, words = en) => timeText(value / 3_600, words).replaceAll('\u00a0', ' ');
  expect([0, 0.04, 0.5, 59.94, 59.96, 60, 61, 760, 3_599.6].map((value) => secs(value))).toEqual([
    '0 s',
    '0 s',
    '0.5 s',
    '59.9 s',
    '1 min',
    '1 min',
    '1 min 1 s',
    '12 min 40 s',
    '1 h',
  ]);
  expect([3_600, 3_725, 86_369, 86_371, 129_600, 8_640_000].map((value) => secs(value))).toEqual([
    '1 h',
    '1 h 2 min',
    '23 h 59 min',
    '1 d',
    '1.5 d',
    '100 d',
  ]);
  expect(secs(42.5, de)).toBe('42,5 s');
  expect([0, 0.0001, 0.042, 1].map((share) => shareText(share, en))).toEqual(['0%', '<\u00a00.1%', '4.2%', '100%']);
  expect(shareText(0.042, de)).toBe('4,2\u00a0%');
});
