import { expect, test } from 'vitest';
import { errorsIn, readFile } from './read-file.ts';

const header = 'map_name,case_id,stage_name,duration_secs';
const lines = (...rows: string[]): string => [header, ...rows].join('\n');

test.each([',', ';', '\t', '|'])(
  '[IMPORT-26] a first line names the separator %j, and is no header',
  async (separator) => {
    const rows = ['map_name', 'case_id', 'stage_name', 'duration_secs'];
    const file = [rows, ['M', '1', 'A', '1']].map((cells) => cells.join(separator)).join('\r\n');
    const padded = separator.repeat(3);
    for (const first of [
      `sep=${separator}`,
      `SEP=${separator}${padded}`,
      `"sep=${separator}"`,
      `\uFEFFsep=${separator}`,
    ]) {
      const { recordings } = await readFile(`${first}\r\n${file}`);
      expect(recordings, first).toMatchObject([{ line: 3, steps: [{ stage_name: 'A', duration_secs: 1 }] }]);
    }
  },
);

test('[IMPORT-26] another separator is an error, and a name that begins like it is a column', async () => {
  for (const separator of [':', 'x', ' ', '\0', '"']) {
    const [error, ...others] = await errorsIn(`sep=${separator}\n${lines('M,1,A,1')}`);
    expect(error, separator).toMatch(
      /^1 -: names the separator .; write sep=, or sep=; or sep=\| or sep= with a tab$/u,
    );
    expect(others).toEqual([]);
  }
  expect(await errorsIn('sep=')).toEqual([expect.stringMatching(/^1 -: names no separator; /)]);
  expect((await readFile('sep=of,map_name,case_id,stage_name,duration_secs\nx,M,1,A,1')).ignoredColumns).toEqual([
    'sep=of',
  ]);
});

test('[IMPORT-27] NUL and lone surrogates are errors of their cells, with a way out', async () => {
  const wayOut = 'which cannot be stored; delete it, or save the file again as UTF-8';
  expect(await errorsIn(`${header},notes,operator\nM,1\0,A\ud83d,1,\ude00,\0\nM,1,A,1,😀,\0`)).toEqual([
    `2 case_id: has the character NUL (U+0000), ${wayOut}`,
    `2 stage_name: has half of a character (U+D83D), ${wayOut}`,
    `2 notes: has half of a character (U+DE00), ${wayOut}`,
  ]);
});

test('[IMPORT-27] a file in UTF-16 without its mark has an error for each name of its header, and no other', async () => {
  const { errors, ignoredColumns } = await readFile(Buffer.from(lines('M,1,A,1'), 'utf16le'));
  expect(errors.first().map(({ code, line, column }) => [code, line, column?.replaceAll('\uFFFD', '')])).toEqual(
    header.split(',').map((column) => ['character_unstorable', 1, column]),
  );
  expect(ignoredColumns.join()).not.toContain('\0');
});
