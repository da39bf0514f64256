/** Each code of an error, by a file that has it. */
import { readFile as readText } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { importProblems } from '../../client/app/text/de/import-problems.ts';
import { contentText } from '../../shared/import/plan-import.ts';
import { errorParams, type ImportErrorCode } from '../../shared/schema/integration/import-problems.ts';
import { accountMap, planOf } from './read-file.ts';

type Example = Parameters<typeof planOf>;

const { id } = accountMap({});
const [early, late] = ['2026-07-01T08:00:00Z', '2026-07-01T08:00:05Z'];
const head = 'map_name,case_id,stage_name,duration_secs';
const rows = (...lines: string[]): Example => [[head, ...lines].join('\n')];
/** Each line is of one recording, with these further columns. */
const more = (columns: string, ...lines: string[]): Example => [
  [`${head},${columns}`, ...lines.map((line) => `Assembly,1,A,1,${line}`)].join('\n'),
];
const timed = (...lines: string[]): Example => [
  ['map_name,case_id,stage_name,started_at,ended_at,duration_secs', ...lines.map((line) => `M,1,A,${line}`)].join('\n'),
];
const session = (map_id: string, stage_name = 'B'): Example => [
  `map_name,recording_session_id,stage_name,duration_secs,started_at\nAssembly,s,A,1,${late}`,
  {
    earlier: {
      s: {
        map_id,
        isDeleted: false,
        starts: [early],
        hasContent: (text) => text === contentText(map_id, [{ stage_name, order: 1, duration_secs: 1 }]),
      },
    },
  },
];

const examples: Record<ImportErrorCode, Example> = {
  not_utf8: [new Uint8Array([0xff])],
  separator_unknown: [`sep=:\n${head}\nM,1,A,1`],
  steps_missing: rows(),
  file_too_long: rows(...Array.from({ length: 5_001 }, (_, index) => `M,${index},A,1`)),
  column_missing: ['map_name,case_id,stage_name,started_at\nM,1,A,'],
  column_duplicate: [`${head},notes,notes\n`],
  quote_unclosed: rows('M,1,"A,1'),
  quote_after_blanks: rows('M, "1",A,1'),
  quote_before_text: rows('M,1,"A" x,1'),
  cell_too_long: rows(`M,1,${'x'.repeat(100_001)},1`),
  cells_too_many: rows(','.repeat(1_001)),
  cells_beyond_header: rows('M,1,A,1,x'),
  character_unstorable: rows('M,1,A\0,1'),
  cell_required: rows(',1,A,1'),
  number_expected: rows('M,1,A,x'),
  number_unclear: [`${head.replaceAll(',', ';')}\nM;1;A;5,400`],
  decimal_comma: rows('M,1,A,"1,5"'),
  decimal_mark_mixed: [`${head.replaceAll(',', ';')}\nM;1;A;90,5\nM;1;A;5.4`],
  boolean_expected: more('value_add', 'yes'),
  time_expected: more('started_at', 'today'),
  time_without_offset: more('started_at', '2026-07-01T08:00:00'),
  name_invalid: rows('M,1,,1'),
  notes_invalid: more('notes', 'n'.repeat(10_001)),
  order_invalid: more('order', '1.5'),
  duration_invalid: rows('M,1,A,-1'),
  work_type_invalid: more('work_type', 'play'),
  session_invalid: ['map_name,recording_session_id,stage_name,duration_secs\nM,a b,A,1'],
  value_invalid: timed(',0000-01-01T00:00:00Z,60'),
  key_required: rows('M,,A,1'),
  duration_required: timed(`${early},,`),
  duration_contradicts_times: timed(`${early},${late},60`),
  end_before_start: timed(`${late},${early},`),
  order_required: more('order', '1', ''),
  order_duplicate: more('order', '1', '1'),
  starts_unsorted: more('started_at', late, early),
  starts_against_order: more('started_at,order', `${late},1`, `${early},2`),
  steps_distant: more('started_at', early, '2026-07-02T08:00:00Z'),
  recording_too_long: rows(...Array<string>(1_001).fill('M,1,A,1')),
  recording_too_large: more('notes', ...Array<string>(201).fill('n'.repeat(10_000))),
  recording_of_two_maps: [`${head.replace('case_id', 'recording_session_id')}\nM,s,A,1\nN,s,A,1`],
  recording_duplicate: [
    `map_id,${head}\n1,Assembly,1,A,1\n2,Assembly,1,A,1`,
    { maps: [accountMap({ id: '1' }), accountMap({ id: '2' })] },
  ],
  map_filled_otherwise: [`map_id,${head}\na,M,1,A,1\na,,1,A,1`],
  map_name_of_two: [`map_id,${head}\na,M,1,A,1\nb,M,1,A,1`, { createMaps: true }],
  map_unknown: ['map_id,case_id,stage_name,duration_secs\na,1,A,1'],
  map_missing: rows('M,1,A,1'),
  map_ambiguous: [`${head}\nAssembly,1,A,1`, { maps: [accountMap({}), accountMap({ id: '2' })] }],
  map_deleted: [`map_id,${head}\n${id},,1,A,1`, { maps: [accountMap({ deleted: true })] }],
  map_cap_reached: [rows('M,1,A,1')[0], { createMaps: true, moreMapsMax: 0 }],
  session_with_other_steps: session(id),
  session_with_other_start: session(id, 'A'),
  session_of_other_map: session('other'),
};

test.each(Object.entries(examples))('[IMPORT-25] an error has the code %s and its values', async (code, example) => {
  const { errors } = (await planOf(...example)).report;
  const error = errors.find((one) => one.code === code);
  expect(error, JSON.stringify(errors)).toMatchObject({ line: expect.any(Number), message: expect.any(String) });
  expect(Object.keys(error!.params).toSorted()).toEqual(errorParams[code as ImportErrorCode].toSorted());
  expect(error!.message).not.toMatch(/undefined|NaN|object/);
});

test('[APP-597] each error has a German text of its own, with its values', async () => {
  const texts = new Set<string>();
  for (const [code, example] of Object.entries(examples)) {
    const error = (await planOf(...example)).report.errors.find((one) => one.code === code)!;
    const textOf: (values: never) => string = importProblems[error.code];
    const text = textOf(error.params as never);
    expect(text).not.toMatch(/undefined|NaN|object/);
    texts.add(text);
  }
  expect(texts.size).toBe(Object.keys(examples).length);
});

test('[IMPORT-25] docs/integrators.md has each code', async () => {
  const document = await readText(new URL('../../docs/integrators.md', import.meta.url), 'utf8');
  const missing = Object.keys(examples).filter((code) => !document.includes(`\`${code}\``));
  expect(missing).toEqual([]);
});
