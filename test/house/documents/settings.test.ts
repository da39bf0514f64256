/** The settings for people against those that the server reads. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readEnvironment, variables } from '../../../server/environment.ts';

test('[OPS-13] operations.md lists each variable with its default', async () => {
  const text = await readFile(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
  const [, table = ''] = /^## Settings\n([\s\S]*?)^## /m.exec(text) ?? [];
  const listed = [...table.matchAll(/^\| (`.*?) +\| (.*?) +\|/gm)].flatMap(([, names = '', defaults = '']) => {
    const values = defaults.split(', ');
    return names.split(', ').map((name, index) => [name.slice(1, -1), values[index]?.replaceAll('`', '')] as const);
  });
  expect(listed.map(([name]) => name).toSorted()).toEqual(
    Object.values(variables)
      .map(({ name }) => name)
      .toSorted(),
  );
  const written = Object.fromEntries(listed.filter(([name, value]) => value !== 'unset' && name !== 'WEB_DIR'));
  expect(readEnvironment(written)).toEqual(readEnvironment({}));
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
