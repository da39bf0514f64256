/** Files that no tool would write on purpose. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { errorsIn, planOf, readFile } from './read-file.ts';

const header = 'map_name,case_id,stage_name,duration_secs,notes';
const quotesAndBreaks = ['"', '""', ',', ';', '\t', '\r\n', '\n', '\r', '\0', '\uFEFF', "'=", ' ', '\ud800'];
const words = ['M', '1', '-1', 'A', '١', '2026-07-01T08:00:00Z', header, 'order', 'started_at', '__proto__'];

test('[IMPORT-20] a cell of a million characters, a million cells and a million lines end in an error of their line', async () => {
  const million = 10 ** 6;
  const tooLong = ['2 -: a cell has more than 100000 characters'];
  for (const cell of ['x', '9', '"', '\n', ";'="]) {
    const text = cell === 'x' || cell === '9' ? cell.repeat(million) : `"${cell.repeat(million)}x"`;
    expect(await errorsIn(`${header}\nM,1,A,1,${text}`), cell).toEqual(tooLong);
  }
  expect(await errorsIn(`${header}\nM,1,A,1,${'x'.repeat(99_999)}`)).toEqual([expect.stringMatching(/^2 notes: /)]);
  expect(await errorsIn(`${header}\nM,1,A,${'9'.repeat(99_999)},`)).toEqual([
    expect.stringMatching(/^2 duration_secs: /),
  ]);
  expect(await errorsIn(`${header}\n"${'"'.repeat(90_000)}`)).toEqual([expect.stringMatching(/^2 -: a quote /)]);
  expect(await errorsIn(','.repeat(million))).toEqual(['1 -: there are more than 1000 cells']);
  expect(await errorsIn(`${header}\n${','.repeat(million)}`)).toEqual(['2 -: there are more than 1000 cells']);
  expect(await errorsIn(`${header}\n${'\n'.repeat(million)}`)).toHaveLength(1);
  expect((await readFile(`${header}\n${'x\n'.repeat(30_000)}`)).errors.total).toBeGreaterThan(20_000);
});

test('[IMPORT-20] names of prototypes are columns, keys, maps and stages like any others', async () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
  const file = [
    `${header},${names.join(',')}`,
    ...names.map((name) => `${name},${name},${name},1,${name},${names.join(',')}`),
  ].join('\n');
  const { report, uploads } = await planOf(file, { createMaps: true });
  expect(report).toMatchObject({ errors: [], new: 4, ignored_columns: names });
  expect(report.maps.map((map) => map.name)).toEqual(names);
  expect(uploads.map(({ steps }) => steps[0]!.stage_name)).toEqual(names);
});

test('[IMPORT-20] any text and any bytes are read or have an error of one of their lines', async () => {
  const piece = fc.constantFrom(...quotesAndBreaks, ...words);
  const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));
  const file = fc.oneof(
    text,
    text.map((one) => `${header}\n${one}`),
    text.map((one) => `${header},order,started_at\nM,1,A,1,${one}`),
    fc.uint8Array({ maxLength: 200 }),
  );
  const property = fc.asyncProperty(file, async (content) => {
    const { report, uploads } = await planOf(content, { createMaps: true });
    const lineCount = String(typeof content === 'string' ? content : Buffer.from(content)).split(/\r\n|\r|\n/).length;
    for (const { line } of report.errors) expect(line).toBeLessThanOrEqual(lineCount);
    expect(report.errors_total > 0 || uploads.length > 0).toBe(true);
  });
  const seed = process.env['GEMBA_SEED'];
  await fc.assert(property, { numRuns: 400, ...(seed === undefined ? {} : { seed: Number(seed) }) });
});
