import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSources, specProblems } from './spec.ts';
import { testNames } from './test-names.ts';

test('[HOUSE-4] every promise has a test that carries its ID, and every ID in a test is promised', async () => {
  const sources = await readSources(resolve(import.meta.dirname, '../..'));

  expect(sources.tests.map(({ path }) => path)).toContain('test/house/spec.test.ts');
  expect(specProblems(sources)).toEqual([]);
});

describe('[HOUSE-4] the check finds', () => {
  const spec = '# What\n\nText.\n\n- **TAP-1** One.\n- **TAP-2** Two.\n';
  const source = `test('[TAP-1] [TAP-2] both', () => {});`;
  const problems = (changed: { spec?: string; source?: string }) =>
    specProblems({ spec: changed.spec ?? spec, tests: [{ path: 'a.test.ts', source: changed.source ?? source }] });

  test('nothing, where all is well', () => {
    expect(problems({})).toEqual([]);
    expect(problems({ source: `describe('[TAP-1]', () => {}); test.each([1])(\`[TAP-2] \${1}\`, () => {});` })).toEqual(
      [],
    );
  });

  test('a promise without a test', () => {
    expect(problems({ source: `test('[TAP-1] one', () => {});` })).toEqual(['SPEC.md: no test carries [TAP-2]']);
  });

  test('a test whose ID is not promised', () => {
    expect(problems({ source: `${source} it('[TAP-3] three', () => {});` })).toEqual([
      'a.test.ts: [TAP-3] is not in SPEC.md',
    ]);
  });

  test('an ID that stands twice', () => {
    expect(problems({ spec: `${spec}- **TAP-1** Again.\n` })).toEqual(['SPEC.md: TAP-1 stands there twice']);
  });

  test('a promise whose ID is malformed', () => {
    expect(problems({ spec: `${spec}- **Tap 3** Three.\n` })).toEqual(['SPEC.md: no ID in "- **Tap 3** Three."']);
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
