import { Ajv2020 } from 'ajv/dist/2020.js';
import { customKeywords } from './field-errors.ts';
import { expect, test } from 'vitest';
import { DeviceMadeId, NameInput, IntegerId, Name, RecordingSessionId, Text, Uuid } from './fields.ts';
import { descriptionLengthMax, idMax, nameLengthMax } from './limits.ts';
import { DurationSecs } from './run.ts';
import { Position, StageTimeHrs } from './stage.ts';

const ajv = new Ajv2020({ keywords: customKeywords });
const ox = '\u{1F402}';
const [highSurrogate, lowSurrogate] = ['\ud83d', '\udc02'];

test('[SCHEMA-3] a name has 1 to 200 characters, code points, once the white space around it is trimmed off', () => {
  const fits = ajv.compile(Name);
  const names = [
    'a',
    ' a ',
    'a b',
    '\u3000a\u00a0',
    ox,
    ox.repeat(nameLengthMax),
    `  ${'x'.repeat(nameLengthMax)}\n`,
    'a\n\tb',
  ];
  for (const name of names) expect(fits(name), name).toBe(true);
  const others = [
    '',
    ' ',
    '\t\n\u00a0\ufeff',
    ox.repeat(nameLengthMax + 1),
    'x'.repeat(nameLengthMax + 1),
    7,
    null,
    ['a'],
  ];
  for (const name of others) expect(fits(name), String(name)).toBe(false);
  // White space is what `String.prototype.trim` removes.
  for (let code = 0; code < 0x3100; code += 1) {
    const character = String.fromCharCode(code);
    expect(fits(character), `U+${code.toString(16)}`).toBe(code !== 0 && character.trim() !== '');
  }
});

test('[REST-72] a name that is given shows something, however many characters it has that do not', () => {
  const fits = ajv.compile(NameInput);
  const unseen = /[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb\u{1d159}]/u;
  for (const [from, to] of [
    [0, 0xd7ff],
    [0xf900, 0x20000],
    [0xdfff0, 0xe1010],
  ] as const) {
    for (let code = from; code <= to; code += 1) {
      const character = String.fromCodePoint(code);
      if (fits(character) === unseen.test(character)) expect.unreachable(`U+${code.toString(16)}`);
    }
  }
  const hidden = '\u200b\u2066\u3164\ufe0f\u{e0041}\u00ad';
  for (const name of [`${hidden}a`, `a${hidden}`, '\u{1f468}\u200d\u{1f527}', 'س\u200cم'])
    expect(fits(name), name).toBe(true);
  for (const name of [hidden, ` ${hidden} `, hidden.repeat(30), '\u2800\u115f', ''])
    expect(fits(name), name).toBe(false);
  expect(ajv.compile(Name)(hidden)).toBe(true);
});

test('[SCHEMA-4] no text holds NUL or a lone surrogate', () => {
  const fitsName = ajv.compile(Name);
  const fitsText = ajv.compile(Text(descriptionLengthMax));
  for (const text of ['a\0b', '\0', `a${highSurrogate}`, `${lowSurrogate}a`, lowSurrogate + highSurrogate]) {
    expect(fitsName(text), JSON.stringify(text)).toBe(false);
    expect(fitsText(text), JSON.stringify(text)).toBe(false);
  }
  expect(fitsName(highSurrogate + lowSurrogate)).toBe(true);
});

test('[SCHEMA-5] a text has up to so many code points and may be empty', () => {
  const fits = ajv.compile(Text(3));
  for (const text of ['', 'abc', ox.repeat(3), '\n\r\n', '   ']) expect(fits(text), text).toBe(true);
  for (const text of ['abcd', ox.repeat(4), '    ', 'abc\n']) expect(fits(text), text).toBe(false);
  const long = ajv.compile(Text(descriptionLengthMax));
  expect(long('x'.repeat(descriptionLengthMax))).toBe(true);
  expect(long('x'.repeat(descriptionLengthMax + 1))).toBe(false);
});

test('[SCHEMA-6] thirteen checks of a name of 1 MiB take less than 5 s of processor time, wherever its white space lies', () => {
  const [fits, fitsGiven] = [ajv.compile(Name), ajv.compile(NameInput)];
  const million = 1024 * 1024;
  const spaces = ' '.repeat(million);
  const cases: [name: string, expected: boolean][] = [
    [`${spaces}a`, true],
    [`a${spaces}`, true],
    [`${'a '.repeat(99)}a${spaces}b`, false],
    [`${' a'.repeat(million / 2)}`, false],
    [`${spaces}`, false],
    [`${'a'.repeat(199)}${spaces}b`, false],
  ];
  const before = process.cpuUsage();
  for (const [name, expected] of cases) expect([fits(name), fitsGiven(name)]).toEqual([expected, expected]);
  expect(fitsGiven('\u200b'.repeat(million))).toBe(false);
  // CPU time does not depend on other load. It is milliseconds for a linear pattern, and minutes for a pattern that
  // backtracks.
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(5_000);
});

test('[SCHEMA-7] ids, orders and amounts take their limits and nothing beyond them', () => {
  const edges = [
    { schema: IntegerId, fit: [1, idMax], others: [0, -1, 1.5, idMax + 1, '1', null] },
    { schema: DeviceMadeId, fit: [2 ** 31, idMax], others: [0, idMax + 1, 2 ** 31 + 0.5] },
    { schema: Position, fit: [1, Number.MAX_SAFE_INTEGER], others: [0, -1, 2.5, 2 ** 53, '1'] },
    { schema: StageTimeHrs, fit: [0, 0.001, 1_000_000], others: [-0.001, 1_000_000.001, '1', null] },
    { schema: DurationSecs, fit: [0, 0.5, 31_536_000], others: [-1, 31_536_000.5, '1', true] },
  ];
  for (const { schema, fit, others } of edges) {
    const fits = ajv.compile(schema);
    for (const value of fit) expect(fits(value), String(value)).toBe(true);
    for (const value of others) expect(fits(value), String(value)).toBe(false);
  }
});

test('[SCHEMA-8] a recording session id is 1 to 128 characters of A-Z a-z 0-9 . _ : -', () => {
  const fits = ajv.compile(RecordingSessionId);
  for (const id of ['a', 'receipt:case-10011', 'A.b_c:d-9', 'x'.repeat(128)]) expect(fits(id), id).toBe(true);
  for (const id of ['', 'x'.repeat(129), 'a b', 'ä', 'a/b', 'a\n']) expect(fits(id), id).toBe(false);
});

test('[SCHEMA-9] a UUID is one of any version', () => {
  const fits = ajv.compile(Uuid);
  expect(fits('0196a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b')).toBe(true);
  expect(fits('00000000-0000-0000-0000-000000000000')).toBe(true);
  for (const id of [
    '',
    '0196a1b2c3d47e5f8a9b0c1d2e3f4a5b',
    '{0196a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b}',
    '0196a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5g',
  ]) {
    expect(fits(id), id).toBe(false);
  }
});
