import { expect, test } from 'vitest';
import { awkwardTexts, exportedRun, sourceOf, textOf } from './exported-runs.ts';
import { runsCsv, stepsCsv } from '../../shared/export/csv.ts';

test('[EXPORT-13] one header line and CRLF, times in UTC, a point in decimals, nothing in the cell of an absent value', async () => {
  const run = exportedRun([{ duration_secs: 0.25, photos: ['sha256:a', 'sha256:b'] }], { device_id: null });
  expect(await textOf(stepsCsv(sourceOf(run)))).toBe(
    [
      'run_id,run_number,map_id,map_name,recording_session_id,device_id,order,stage_name,started_at,ended_at,duration_secs,duration_estimated,work_type,value_add,notes,photos',
      '7,1,018f9e4a-2b6c-7d31-8a55-3c1f0e9d7b42,Assembly,walk-1,,1,Drill,2026-07-01T08:00:00.000Z,2026-07-01T08:00:00.250Z,0.25,false,valuable,true,,sha256:a sha256:b',
      '',
    ].join('\r\n'),
  );
});

test('[EXPORT-14] a line for each run has its totals, and what was said about it', async () => {
  const said = { name: 'First', tags: ['early', 'new'], note: 'slow', excluded: { reason: 'broken' }, revision: 2 };
  const runs = [exportedRun([{}], { started_at: null }), exportedRun([{}], said)];
  const lines = (await textOf(runsCsv(sourceOf(...runs)))).split('\r\n');
  expect(lines[0]).toBe(
    'run_id,run_number,map_id,map_name,recording_session_id,device_id,started_at,created_at,total_time_secs,value_add_time_secs,pce,step_count,name,tags,note,excluded,excluded_reason,revision',
  );
  expect(lines[1]).toMatch(/,4d7f0a92-1c3e-4b8a-9e65-8a2c7d5f1b30,,2026-07-01T09:00:00.000Z,10,10,1,1,,,,false,,1$/);
  expect(lines[2]).toMatch(/,1,1,First,"early; new",slow,true,broken,2$/);
});

test('[EXPORT-15] text that begins a formula gets an apostrophe, and a number never does', async () => {
  const negative = exportedRun([{ duration_secs: -5 }]);
  expect(await textOf(stepsCsv(sourceOf(negative)))).toContain(',-5,');
  for (const text of awkwardTexts) {
    const run = exportedRun([{ stage_name: text, notes: text }], { note: text }, text);
    const isFormula = /^[=+\-@\t\r＝＋－＠]/.test(text);
    const rows = parseCsv(await textOf(stepsCsv(sourceOf(run))));
    const expected = isFormula ? `'${text}` : text;
    expect([rows[1]![3], rows[1]![7], rows[1]![14]]).toEqual([expected, expected, expected].map(asUtf8));
  }
});

test('[EXPORT-38] a cell that a spreadsheet with semicolons sees in a text gets an apostrophe, too', async () => {
  for (const [text, guardFormulas] of [
    ['a;=1+1', "a;'=1+1"],
    ['a;=1+1;=1+2;', "a;'=1+1;'=1+2;"],
    ["a; \u00a0'=1", "a; \u00a0'=1"],
    ['a;"=1"', 'a;\'"=1"'],
    ['a\n=1\r\n+2\n\n-3', "a\n'=1\r\n'+2\n\n'-3"],
    ['a\t@x', "a\t'@x"],
    ['\n=1', "'\n'=1"],
    [' =1', "' =1"],
    ['"=1"', '\'"=1"'],
    ['a;＝1', "a;'＝1"],
    ['a,=1', 'a,=1'],
    ['a = 1; b - 2', 'a = 1; b - 2'],
  ] as const) {
    const run = exportedRun([{ notes: text }]);
    const guardedRows = parseCsv(await textOf(stepsCsv(sourceOf(run))));
    const plainRows = parseCsv(await textOf(stepsCsv(sourceOf(run), { guard: false })));
    expect([guardedRows[1]![14], plainRows[1]![14]]).toEqual([guardFormulas, text]);
  }
});

test('[EXPORT-38] no cell of a reader that splits at semicolons, and sees no quotes within a line, begins a formula', async () => {
  const hostile = ["x;=cmd|' /C calc'!A0;y", 'x\r\n=1+1\r\n', 'x;\t@a;"=2"', ';;+1', '\n;-1;'];
  const runs = hostile.map((text) => exportedRun([{ stage_name: text, notes: text }], {}, text));
  const csv = await textOf(stepsCsv(sourceOf(...runs)));
  const cells = csv.split(/[;\t\r\n]/).map((cell) => cell.replace(/^[\s"]+/, ''));
  expect(cells.filter((cell) => /^[=+\-@]/.test(cell))).toEqual([]);
});

test('[EXPORT-16] `guard=false` leaves text as it is, and `bom=true` begins with a byte order mark', async () => {
  const run = exportedRun([{ notes: '=1' }]);
  const text = await textOf(stepsCsv(sourceOf(run), { guard: false, bom: true }));
  expect(text.startsWith('\uFEFFrun_id,')).toBe(true);
  expect(text).toContain(',=1,');
});

test('[EXPORT-17] any text comes back as it was from a reader of RFC 4180', async () => {
  for (const text of [...awkwardTexts, 'x'.repeat(1_000_000)]) {
    const rows = parseCsv(await textOf(stepsCsv(sourceOf(exportedRun([{ notes: text }])), { guard: false })));
    expect(rows[1]![14]).toBe(asUtf8(text));
    expect(rows).toHaveLength(2);
  }
});

/** UTF-8 has no form for half of a surrogate pair. */
const asUtf8 = (text: string): string => Buffer.from(text).toString();

/** Reads CSV by the grammar of RFC 4180. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  for (const [, line] of text.matchAll(/((?:"(?:[^"]|"")*"|[^"\r\n])*)\r\n/g)) {
    const fields = [...line!.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g)];
    rows.push(fields.map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? ''));
  }
  return rows;
}
