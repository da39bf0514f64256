import { expect, test } from 'vitest';
import { importWarnings } from '../../client/app/text/de/import-problems.ts';
import { warningParams, type ImportWarningCode } from '../../shared/schema/integration/import-problems.ts';
import { accountMap, planOf } from './read-file.ts';

const fileOf = (...names: string[]) =>
  ['map_name,case_id,stage_name,duration_secs', ...names.map((name, index) => `"${name}",${index},A,1`)].join('\n');
const warningsOf = async (file: string, account: Parameters<typeof planOf>[1]) =>
  (await planOf(file, { createMaps: true, ...account })).report.warnings;

test.each([
  ['Press line', 'PRESS LINE'],
  ['Press line', ' Press   line'],
  ['Press line', 'Press\u00a0line'],
  ['Press\u200b line', 'Press line'],
  ['Prüfen', 'Pru\u0308fen'],
  ['STRASSE', 'Straße'],
  ['Line-1', 'Line – 1'.replaceAll(' ', '')],
  ['Line—1', 'Line−1'],
  ['Ｌine', 'Line'],
])('[IMPORT-31] the name of the map %j looks like %j', async (known, name) => {
  const maps = [accountMap({ name: known }), accountMap({ id: 'binned', name, deleted: true })];
  for (const createMaps of [true, false]) {
    const { report, newMaps } = await planOf(fileOf('Paint', name), { maps, createMaps });
    expect(report).toMatchObject({
      warnings: [
        {
          line: 3,
          column: 'map_name',
          code: 'map_name_similar',
          params: { map_name: known, map_id: maps[0]!.id },
          message: `is a new name that looks like the map ${known}; if that map is meant, write its name the same way`,
        },
      ],
      warnings_total: 1,
      errors_total: createMaps ? 0 : 2,
    });
    if (createMaps) expect(newMaps.map((map) => map.name)).toEqual(['Paint', name.trim()]);
  }
});

test('[IMPORT-31] an archived map, and another new name of the file, are named, each name once', async () => {
  const maps = [accountMap({ name: 'Weld', archived: true })];
  const warnings = await warningsOf(fileOf('Weld', 'Weld', 'Cut 1', 'cut 1', 'Cut 1', 'cut 1'), { maps });
  expect(warnings.map(({ line, code, params }) => [line, code, params])).toEqual([
    [2, 'map_archived_similar', { map_name: 'Weld', map_id: maps[0]!.id }],
    [5, 'new_names_similar', { map_name: 'Cut 1', other_line: 4 }],
  ]);
  for (const { code, params, message } of warnings) {
    const names: readonly string[] = warningParams[code as ImportWarningCode];
    expect(Object.keys(params).toSorted()).toEqual(names.toSorted());
    const textOf: (values: never) => string = importWarnings[code];
    for (const text of [message, textOf(params as never)]) {
      expect(text).toContain(params.map_name);
      expect(text).not.toMatch(/undefined|object/);
    }
  }
});

test('[IMPORT-31] a name that a map has, and names that differ, are no warnings', async () => {
  const maps = [
    accountMap({ name: 'Weld' }),
    accountMap({ id: 'b', name: 'weld' }),
    accountMap({ id: 'c', name: 'Line 1' }),
  ];
  expect(await warningsOf(fileOf('Weld', 'weld', 'Line1', 'Line 2', 'Weld!'), { maps })).toEqual([]);
});
