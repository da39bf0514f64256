import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readEnvironment } from '../../../server/environment.ts';
import { settingProblems } from './settings.ts';

const operations = await readFile(new URL('../../../docs/operations.md', import.meta.url), 'utf8');

test('[OPS-13] operations.md lists each variable with its default', () => {
  expect(settingProblems(operations)).toEqual([]);
});

test.each([
  [/^\| `LOG_LEVEL`.*\n/m, '', 'LOG_LEVEL is not in the table'],
  ['`LOG_LEVEL` ', '`LOUDNESS`  ', 'the server does not read LOUDNESS'],
  ['`600/60`', '`601/60`', '601/60 is not the default of GEMBA_RATE_LIMIT'],
  ['`8080`, ', '`8081`, ', '8081 is not the default of PORT'],
] as const)('[OPS-13] a table with another row is noticed: %s', (from, to, problem) => {
  expect(settingProblems(operations.replace(from, to))).toContain(`docs/operations.md: ${problem}`);
});

test('[OPS-13] [OPS-16] [OPS-17] what is wrong is said with what was given, but a secret is not repeated', () => {
  expect(readEnvironment({ PORT: 'abc', GEMBA_ADMIN_TOKEN: 'too short' })).toEqual({
    ok: false,
    problems: [
      'PORT must be an integer from 0 to 65535, not "abc"',
      expect.stringMatching(/^GEMBA_ADMIN_TOKEN (?!.*too short)/),
    ],
  });
});
