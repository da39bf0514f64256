import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSources, specProblems } from './spec.ts';
import { testNames } from './test-names.ts';

test('[HOUSE-4] every promise has a test that carries its ID, and every ID in a test is promised', async () => {
  const sources = await readSources(resolve(import.meta.dirname, '../../..'));

  expect(sources.tests.map(({ path }) => path)).toContain('test/house/spec/spec.test.ts');
  expect(specProblems(sources)).toEqual([]);
});

const chapter = '# Taps\n\nText.\n\n- **TAP-1** One.\n- **TAP-2** Two.\n';
const both = `test('[TAP-1] [TAP-2] both', () => {});`;

function problems(changed: { index?: string; chapter?: string; other?: string; source?: string }): string[] {
  const chapters = [
    { path: 'taps.md', source: changed.chapter ?? chapter },
    { path: 'undo.md', source: changed.other ?? '' },
  ];
  const tests = [{ path: 'a.test.ts', source: changed.source ?? both }];
  return specProblems({ index: changed.index ?? '[taps](taps.md) [undo](undo.md)', chapters, tests });
}

describe('[HOUSE-4] the check finds', () => {
  test('nothing, where all is well', () => {
    expect(problems({})).toEqual([]);
    expect(problems({ source: `describe('[TAP-1]', () => {}); test.each([1])(\`[TAP-2] \${1}\`, () => {});` })).toEqual(
      [],
    );
  });

  test('a promise without a test', () => {
    expect(problems({ source: `test('[TAP-1] one', () => {});` })).toEqual(['taps.md: no test carries [TAP-2]']);
  });

  test('a test whose ID is not promised', () => {
    expect(problems({ source: `${both} it('[TAP-3] three', () => {});` })).toEqual([
      'a.test.ts: [TAP-3] is not promised in docs/spec/',
    ]);
  });

  test('a promise whose ID is malformed', () => {
    expect(problems({ chapter: `${chapter}- **Tap 3** Three.\n` })).toEqual(['taps.md: no ID in "- **Tap 3** Three."']);
  });

  test('a chapter that the index does not name', () => {
    expect(problems({ index: '[undo](undo.md)' })).toEqual(['SPEC.md: no link to the chapter taps.md']);
  });
});

describe('[HOUSE-16] the check finds', () => {
  const four = `${both} test('[TAP-4]', () => {});`;

  test('nothing, where each number is promised or retired', () => {
    expect(problems({ chapter: `${chapter}- **TAP-4** Four.\n\nRetired: TAP-3\n`, source: four })).toEqual([]);
    expect(problems({ chapter: `${chapter}\nRetired: TAP-3 to TAP-5, TAP-6\n` })).toEqual([]);
  });

  test('a number that is neither promised nor retired', () => {
    expect(problems({ chapter: `${chapter}- **TAP-4** Four.\n`, source: four })).toEqual([
      'taps.md: TAP-3 is neither promised nor retired',
    ]);
  });

  test('a number that stands twice, promised or retired', () => {
    expect(problems({ chapter: `${chapter}- **TAP-2** Again.\n` })).toEqual(['taps.md: TAP-2 stands there twice']);
    expect(problems({ chapter: `${chapter}\nRetired: TAP-2\n` })).toEqual(['taps.md: TAP-2 stands there twice']);
  });

  test('a retired ID in the name of a test', () => {
    expect(problems({ chapter: `${chapter}\nRetired: TAP-3\n`, source: `${both} test('[TAP-3]', () => {});` })).toEqual(
      ['a.test.ts: [TAP-3] is retired'],
    );
  });

  test('retired IDs that cannot be read', () => {
    expect(problems({ chapter: `${chapter}\nRetired: TAP-3 and others\n` })).toEqual([
      'taps.md: no retired ID in "TAP-3 and others"',
    ]);
    expect(problems({ chapter: `${chapter}\nRetired: TAP-3 to UNDO-4\n` })).toEqual([
      'taps.md: no retired ID in "TAP-3 to UNDO-4"',
    ]);
  });

  test('a prefix that lives in two chapters', () => {
    const three = `${both} test('[TAP-3]', () => {});`;
    expect(problems({ other: '- **TAP-3** Three.\n', source: three })).toEqual(['undo.md: TAP lives in taps.md']);
  });
});

describe('[HOUSE-25] the check finds', () => {
  test('a promise out of order, within a section alone', () => {
    const swapped = '- **TAP-2** Two.\n- **TAP-1** One.\n';
    expect(problems({ chapter: swapped })).toEqual(['taps.md: TAP-1 stands after TAP-2']);
    expect(problems({ chapter: swapped.replace('\n', '\n\n## Section\n\n') })).toEqual([]);
  });
});

describe('[HOUSE-26] the check finds', () => {
  const withText = (text: string) =>
    problems({ chapter: `${chapter}- **TAP-3** ${text}\n`, source: `${both} test('[TAP-3]', () => {});` });

  test('more than 40 words', () => {
    const words = (count: number) => Array.from({ length: count }, () => 'tap').join(' ');
    expect(withText(words(40))).toEqual([]);
    expect(withText(words(41))).toEqual(['taps.md: TAP-3 has 41 words, more than 40']);
  });

  test('a semicolon', () => {
    expect(withText('A tap stands; it is kept.')).toEqual(['taps.md: TAP-3 has a semicolon: one clause an ID']);
  });

  test('a vague word without a figure', () => {
    expect(withText('A tap is taken quickly.')).toEqual(['taps.md: TAP-3 says "quickly" without a figure']);
    expect(withText('A tap is written in a moment.')).toEqual(['taps.md: TAP-3 says "in a moment" without a figure']);
    expect(withText('A short tap, of less than 50 ms, is taken.')).toEqual([]);
  });
});

test('[HOUSE-4] only the names of tests that run count: no comments, strings, skipped or planned tests', () => {
  const source = `
    // test('[TAP-1] in a comment')
    const text = "test('[TAP-2] in a string')";
    test.skip('[TAP-3] skipped', () => {});
    test.todo('[TAP-4] planned');
    other('[TAP-5] something else');
    test.runIf(text)('[TAP-6] counts', () => {});
    describe.each([1])('[TAP-7] counts', () => { it('[TAP-8] counts', () => {}); });
  `;

  expect(testNames('a.test.ts', source)).toEqual(['[TAP-6] counts', '[TAP-7] counts', '[TAP-8] counts']);
});
