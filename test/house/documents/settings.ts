/** Compares the table of settings in docs/operations.md with the variables that the server reads. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readEnvironment, environmentVariables } from '../../../server/environment.ts';

const document = 'docs/operations.md';
/** The server takes the folder of the build from its caller, so the variable itself has no default. */
const variableWithoutDefault = 'WEB_DIR';

export async function allSettingProblems(root: string): Promise<string[]> {
  return settingProblems(await readFile(join(root, document), 'utf8'));
}

/** Lists variables that the table lacks, that the server does not read, or whose default differs. */
export function settingProblems(text: string): string[] {
  const listed = settingsIn(text);
  const names = Object.values(environmentVariables).map(({ name }) => name);
  const differs = (name: string, value: string) =>
    value !== 'unset' &&
    name !== variableWithoutDefault &&
    !isDeepStrictEqual(readEnvironment({ [name]: value }), readEnvironment({}));
  return [
    ...names.filter((name) => !listed.has(name)).map((name) => `${document}: ${name} is not in the table`),
    ...[...listed.keys()]
      .filter((name) => !names.includes(name))
      .map((name) => `${document}: the server does not read ${name}`),
    ...[...listed]
      .filter(([name, value]) => differs(name, value))
      .map(([name, value]) => `${document}: ${value} is not the default of ${name}`),
  ];
}

/** The variables of the table with their defaults; a row may have several, such as `PORT`, `HOST`. */
function settingsIn(text: string): Map<string, string> {
  const [, table = ''] = /^## Settings\n([\s\S]*?)^## /m.exec(text) ?? [];
  const rows = [...table.matchAll(/^\| (`.*?) +\| (.*?) +\|/gm)];
  return new Map(
    rows.flatMap(([, names = '', defaults = '']) => {
      const values = defaults.split(', ');
      return names
        .split(', ')
        .map((name, index) => [name.slice(1, -1), values[index]?.replaceAll('`', '') ?? ''] as const);
    }),
  );
}
