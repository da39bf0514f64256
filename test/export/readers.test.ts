/** Programs of others read the exports. */
import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportInPieces, type ExportFormat, type ExportOptions } from '../../shared/export/formats.ts';
import { awkwardTexts, bytesOf, exportedRun, sourceOf } from './exported-runs.ts';
import { pandasAtHand, runPython, validateXml, xmllintAtHand, xpath } from './real-readers.ts';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'gemba-readers-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fixture = (name: string): string => join(import.meta.dirname, '../fixtures/export', name);

/** Lone surrogates have no UTF-8, so no file can have them. */
const texts = awkwardTexts.map((text) => Buffer.from(text).toString());
const runs = texts.map((text, index) =>
  exportedRun(
    [
      { stage_name: text, notes: text, duration_secs: 0.1 + 0.2, duration_estimated: true, photos: ['a', 'b'] },
      { notes: text.repeat(1_000), duration_secs: 1e-7, value_add: false, work_type: 'waste' },
    ],
    { id: 2 ** 53 - 1 - index, number: index + 1, device_id: null, ...(index % 2 ? { started_at: null } : {}) },
    text,
  ),
);
const empty = 'an export without runs';

async function fileOf(format: ExportFormat, options: ExportOptions = {}, source = sourceOf(...runs)): Promise<string> {
  const file = join(folder, `${Math.random()}-${format}`);
  await writeFile(file, await bytesOf(exportInPieces(format, source, options)));
  return file;
}

describe.skipIf(!pandasAtHand())('pandas', () => {
  const readCsv = (file: string) =>
    runPython(
      `import sys, json, pandas
table = pandas.read_csv(sys.argv[1], keep_default_na=False, float_precision='round_trip')
print(json.dumps({'columns': list(table.columns), 'data': table.astype(object).values.tolist()}))`,
      file,
    ) as { columns: string[]; data: unknown[][] };

  test('[EXPORT-17] pandas reads each cell of the CSV as it was', async () => {
    const { columns, data } = readCsv(await fileOf('steps.csv', { guard: false }));
    const column = (name: string) => data.map((row) => row[columns.indexOf(name)]);
    const steps = runs.flatMap(({ run, mapName }) => run.steps.map((step) => ({ run, step, mapName })));
    expect(column('run_id')).toEqual(steps.map(({ run }) => run.id));
    expect(column('map_name')).toEqual(steps.map(({ mapName }) => mapName));
    expect(column('stage_name')).toEqual(steps.map(({ step }) => step.stage_name));
    expect(column('notes')).toEqual(steps.map(({ step }) => step.notes));
    expect(column('value_add')).toEqual(steps.map(({ step }) => step.value_add));
    expect(column('duration_secs')).toEqual(steps.map(({ step }) => step.duration_secs));
  });

  test('[EXPORT-18] a spreadsheet has typed cells, a frozen header and no formula', async () => {
    const sheet = runPython(
      `import sys, json, openpyxl
sheet = openpyxl.load_workbook(sys.argv[1]).active
print(json.dumps({
  'frozen': sheet.freeze_panes,
  'kinds': sorted(set(cell.data_type for row in sheet.iter_rows() for cell in row)),
  'second': [str(cell.value) for cell in sheet[2]],
  'types': [cell.data_type for cell in sheet[2]],
  'names': [row[7].value for row in sheet.iter_rows(min_row=2)],
}))`,
      await fileOf('steps.xlsx'),
    ) as { frozen: string; kinds: string[]; second: string[]; types: string[]; names: string[] };
    expect(sheet.frozen).toBe('A2');
    expect(sheet.kinds).not.toContain('f');
    expect(sheet.types.join('')).toBe('snsssnnsddnbsbss');
    expect(sheet.second[0]).toBe(String(2 ** 53 - 1));
    expect(sheet.second[8]).toBe('2026-07-01 08:00:00');
    expect(sheet.names[0]).toBe(texts[0]);
    expect(sheet.names).toHaveLength(runs.length * 2);
  });
});

describe.skipIf(!xmllintAtHand())('xmllint', () => {
  test.each([
    ['complete', 1],
    ['pairs', 2],
  ] as const)('[EXPORT-21] [EXPORT-24] the log with lifecycle=%s fits the schema', async (lifecycle, eventsPerStep) => {
    const file = await fileOf('log.xes', { lifecycle });
    expect(() => validateXml(file, fixture('xes.xsd'))).not.toThrow();
    const steps = 'count(//*[local-name()="event"])';
    expect(xpath(file, steps)).toBe(String(runs.length * 2 * eventsPerStep));
  });

  test(`[EXPORT-21] ${empty} fits the schema`, async () => {
    const file = await fileOf('log.xes', {}, sourceOf());
    expect(() => validateXml(file, fixture('xes.xsd'))).not.toThrow();
  });

  test('[EXPORT-23] an XML parser gives back each text but for the characters that XML has no form for', async () => {
    const file = await fileOf('log.xes');
    for (const [index, text] of texts.entries()) {
      const name = `(//*[local-name()="trace"])[${index + 1}]/*[@key="map_name"]/@value`;
      const kept = text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '');
      expect(xpath(file, `string(${name})`)).toBe(kept);
    }
  });
});

test.each([
  ['runs', sourceOf(...runs)],
  [empty, sourceOf()],
])('[EXPORT-25] the object-centric log of %s fits the schema of OCEL 2.0', async (_, source) => {
  const validate = addFormats
    .default(new Ajv())
    .compile(JSON.parse(readFileSync(fixture('ocel20-schema.json'), 'utf8')));
  validate(JSON.parse(readFileSync(await fileOf('log.ocel.json', {}, source), 'utf8')));
  expect(validate.errors).toBeNull();
});
