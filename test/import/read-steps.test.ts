import { expect, test } from 'vitest';
import { errorsIn, readFile } from './read-file.ts';

const header = 'map_name,case_id,stage_name,duration_secs';
const lines = (...rows: string[]): string => [header, ...rows].join('\n');

async function recordingsOf(file: string | Uint8Array) {
  const { recordings, errors } = await readFile(file);
  expect(errors.first()).toEqual([]);
  return recordings;
}

test.each([
  [',', '\r\n'],
  [';', '\n'],
  ['\t', '\r'],
])('[IMPORT-2] cells are separated by %j and lines by %j', async (separator, lineEnd) => {
  const rows = [
    ['map_name', 'case_id', 'stage_name', 'duration_secs', 'notes'],
    ['Assembly', '1', `"Drill ""A""${separator} B"`, '1.5', `"two${lineEnd}lines"`],
    ['', '', '', '', ''],
    [''],
    ['Assembly', '1', 'Weld', '2', ''],
  ].slice(0, 5);
  const text = rows
    .filter((cells) => cells.length === 1 || cells.join('') !== '')
    .map((cells) => cells.join(separator))
    .join(lineEnd);
  const [recording, ...others] = await recordingsOf(`\uFEFF${text}`);
  expect(others).toEqual([]);
  expect(recording).toMatchObject({
    map: { id: '', name: 'Assembly' },
    steps: [
      { stage_name: `Drill "A"${separator} B`, order: 1, duration_secs: 1.5, notes: `two${lineEnd}lines` },
      { stage_name: 'Weld', order: 2, duration_secs: 2 },
    ],
  });
});

test('[IMPORT-3] columns are found in any order and case, aliases count, and the others are ignored', async () => {
  const { recordings, ignoredColumns, errors } = await readFile(
    ' Duration_Secs ,Case:Concept:Name,ACTIVITY,case:map_name,Operator,,photos,__proto__,constructor\n3,17,Drill,Assembly,Ann,,,x,y',
  );
  expect(errors.first()).toEqual([]);
  expect(recordings).toMatchObject([
    {
      key: { column: 'case_id', text: '17' },
      map: { name: 'Assembly' },
      steps: [{ stage_name: 'Drill', duration_secs: 3 }],
    },
  ]);
  expect(ignoredColumns).toEqual(['Operator', 'column 6', 'photos', '__proto__', 'constructor']);
});

test('[IMPORT-3] the own name of a column comes before an alias, and a column that stands twice is an error', async () => {
  const both = await readFile('concept:name,stage_name,map_name,case_id,duration_secs\nA,B,M,1,1');
  expect(both.recordings[0]!.steps[0]!.stage_name).toBe('B');
  expect(both.ignoredColumns).toEqual(['concept:name']);
  expect(await errorsIn('Stage_Name,stage_name,map_name,case_id,duration_secs\nA,B,M,1,1')).toEqual([
    '1 Stage_Name: stands twice in the header',
  ]);
});

test('[IMPORT-4] a missing column is an error of the header', async () => {
  expect(await errorsIn('notes\nx')).toEqual([
    '1 map_name: is missing: a file needs map_name, or map_id',
    '1 recording_session_id: is missing: a file needs recording_session_id, or case_id, or run_id, or run_number',
    '1 stage_name: is missing: a file needs stage_name',
    '1 duration_secs: is missing: a file needs duration_secs, or started_at with ended_at',
  ]);
  expect(await errorsIn('')).toHaveLength(4);
  expect(await errorsIn(header)).toEqual(['1 -: no line with a step follows the header']);
});

test('[IMPORT-4] each wrong cell is named by its line and by the column of the file', async () => {
  const file = [
    'Map_Name;case:concept:name;concept:name;duration_secs;order;work_type;notes;time:timestamp',
    'M;1;"one',
    'two";x;;;;',
    'M;1;;1;1.5;play;;2026-07-01T08:00:00',
    ';;Drill;-1;2;;;',
    `M;1;Drill;1;;;"${'n'.repeat(10_001)}";`,
    'M;1;Drill;1;3;;;;surplus',
  ].join('\r\n');
  expect(await errorsIn(file)).toEqual([
    '2 duration_secs: must be a number, such as 12.5',
    '4 time:timestamp: must be a time in ISO 8601 with Z or an offset, such as 2026-07-01T07:42:10Z; it lacks its offset: add Z, or one such as +02:00',
    '5 Map_Name: is required',
    '5 case:concept:name: is empty, so nobody knows which recording the step is of',
    '6 notes: must be up to 10000 characters, without NUL or lone surrogates',
    '7 -: has 9 cells, and the header has 8',
  ]);
  expect(await errorsIn('map_name,case_id,stage_name,duration_secs,order,work_type\nM,1,,-1,1.5,play')).toEqual([
    '2 stage_name: must be 1 to 200 characters, of which one can be seen',
    '2 order: must be an integer',
    '2 duration_secs: must be a number of seconds from 0 to 31536000',
    '2 work_type: must be valuable, incidental or waste',
  ]);
});

test('[IMPORT-4] a quote without its end, and text behind one, are errors of the line', async () => {
  expect(await errorsIn(lines('M,1,A,1', 'M,1,"A,1', 'M,1,B,1'))).toEqual([
    '3 -: a quote begins a cell here, and no quote ends it',
  ]);
  expect(await errorsIn(lines('M,1,"A" x,1'))).toEqual(['2 -: text follows the quote that ends a cell']);
  expect((await recordingsOf(lines('M,1,5" pipe,1')))[0]!.steps[0]!.stage_name).toBe('5" pipe');
});

test('[IMPORT-4] bytes that are not UTF-8 are an error of their line, with a way out', async () => {
  const latin = Buffer.from(lines('M,1,Bohren,1', 'M,1,Prüfen,1'), 'latin1');
  expect(await errorsIn(latin)).toEqual(['3 -: is not UTF-8; in Excel, save the file as "CSV UTF-8"']);
  expect(await errorsIn(Buffer.from(`\uFEFF${lines('M,1,A,1')}`, 'utf16le'))).toEqual([
    '1 -: is not UTF-8; in Excel, save the file as "CSV UTF-8"',
  ]);
  expect(await recordingsOf(Buffer.from(`\uFEFF${lines('M,1,Prüfen,1')}`))).toHaveLength(1);
});

test('[IMPORT-7] numbers, times, and what is true or false have the forms of other tools, too', async () => {
  const columns = 'map_name;run_number;stage_name;duration_secs;started_at;value_add;duration_estimated;order';
  const [recording] = await recordingsOf(
    [columns, 'M;1.0;A;12,5;2026-07-01 10:00:00+02:00;True;0;2.0', 'M;1.0;B;1e1;;FALSE;1;1'].join('\n'),
  );
  expect(recording).toMatchObject({
    started_at: undefined,
    steps: [
      { stage_name: 'A', duration_secs: 12.5, value_add: true, duration_estimated: false, order: 2 },
      { stage_name: 'B', duration_secs: 10, value_add: false, duration_estimated: true, order: 1 },
    ],
  });
  expect(await errorsIn(lines('M,1,A,"12,5"'))).toEqual([
    '2 duration_secs: must be a number, such as 12.5; in a file with commas between its cells, write decimals with a point',
  ]);
  for (const wrong of ['1.000,5', 'NaN', 'Infinity', '0x10', '1_000', '5 s', '--1', '٣']) {
    expect(await errorsIn(lines(`M,1,A,"${wrong}"`)), wrong).toHaveLength(1);
  }
  expect(await errorsIn(`${header},value_add\nM,1,A,1,yes`)).toEqual(['2 value_add: must be true or false']);
});

test('[IMPORT-7] a number that may be another one, or has another decimal mark than the file, is an error', async () => {
  const columns = 'map_name;case_id;stage_name;duration_secs';
  const fileOf = (...secs: string[]) => [columns, ...secs.map((cell) => `M;1;A;${cell}`)].join('\n');
  expect(await errorsIn(fileOf('5,400'))).toEqual([
    '2 duration_secs: may have a decimal comma or separate thousands; write 5400 or 5.400',
  ]);
  expect(await errorsIn(fileOf('90,5', '5.400'))).toEqual([
    '3 duration_secs: has another decimal mark than line 2; a file has one',
  ]);
  for (const clear of ['0,125', '5400,125', '90,50', '5.400']) expect(await errorsIn(fileOf(clear)), clear).toEqual([]);
});

test('[IMPORT-2] a quote behind blanks is an error, and lines of empty cells are none', async () => {
  expect(await errorsIn(lines('M, "1",A,1'))).toEqual(['2 -: blanks stand before the quote that begins a cell']);
  expect(await recordingsOf(`\n${lines('M,1,A,1', ',,,', '')}`)).toHaveLength(1);
});

test('[IMPORT-9] starts that go back, and lines that name one map in two ways, are errors', async () => {
  const columns = 'map_id,map_name,case_id,stage_name,duration_secs,started_at,order';
  const fileOf = (...rows: string[]) => [columns, ...rows].join('\n');
  const [late, early] = ['2026-07-01T10:00:00Z', '2026-07-01T08:00:00Z'];
  expect(await errorsIn(fileOf(`,M,1,Pack,1,${late},`, `,M,1,Load,1,${early},`))).toEqual([
    '3 started_at: is earlier than in line 2, which stands before it; sort the lines',
  ]);
  expect(await errorsIn(fileOf(`,M,1,Pack,1,${late},1`, `,M,1,Load,1,${early},2`))).toEqual([
    '3 started_at: is earlier than in line 2, and its order is later',
  ]);
  expect(await errorsIn(fileOf(`,M,1,Pack,1,${late},2`, `,M,1,Load,1,${early},1`))).toEqual([]);
  expect(await errorsIn(fileOf('a,M,1,Load,1,,', 'a,,1,Pack,1,,'))).toEqual([
    '3 map_name: is filled otherwise than in line 2, which has the same recording',
  ]);
  expect(await errorsIn(fileOf(',M,1,Load,1,,', 'a,M,1,Pack,1,,'))).toEqual([
    '3 map_id: is filled otherwise than in line 2, which has the same recording',
  ]);
  expect(await errorsIn(fileOf('a,M,1,Load,1,,', 'b,N,1,Pack,1,,'))).toEqual([]);
});

test('[IMPORT-8] a duration is given, or follows from start and end, and both agree within a second', async () => {
  const columns = 'map_name,case_id,stage_name,duration_secs,started_at,ended_at';
  const fileOf = (...rows: string[]) => [columns, ...rows.map((row) => `M,1,A,${row}`)].join('\n');
  const start = '2026-07-01T08:00:00Z';
  const [timed] = await recordingsOf(fileOf(`,${start},2026-07-01T10:01:05.250+02:00`));
  expect(timed).toMatchObject({ started_at: '2026-07-01T08:00:00.000Z', steps: [{ duration_secs: 65.25 }] });
  const [ended] = await recordingsOf(fileOf('65,,2026-07-01T08:01:05Z'));
  expect(ended).toMatchObject({ started_at: '2026-07-01T08:00:00.000Z', steps: [{ duration_secs: 65 }] });
  const [rounded] = await recordingsOf(fileOf(`64.2,${start},2026-07-01T08:01:05Z`));
  expect(rounded!.steps[0]!.duration_secs).toBe(64.2);
  expect(await errorsIn(fileOf(`60,${start},2026-07-01T08:01:05Z`))).toEqual([
    '2 duration_secs: is not the time from start to end, 65 s',
  ]);
  expect(await errorsIn(fileOf(`,${start},2026-07-01T07:59:59Z`))).toEqual([
    '2 ended_at: is before the start of the step',
  ]);
  expect(await errorsIn(fileOf(`,${start},`))).toEqual([
    '2 duration_secs: is required, unless the step has its start and its end',
  ]);
});

test('[IMPORT-9] lines with one key are one recording, in the order of order or else of the lines', async () => {
  const mixed = await recordingsOf(lines('M,1,A,1', 'M,2,X,1', 'M,1,B,1', 'N,1,Y,1'));
  expect(mixed.map(({ map, steps }) => [map.name, steps.map((step) => `${step.order} ${step.stage_name}`)])).toEqual([
    ['M', ['1 A', '2 B']],
    ['M', ['1 X']],
    ['N', ['1 Y']],
  ]);
  const ordered = `${header},order,recording_session_id\n`;
  expect(await errorsIn(`${ordered}M,1,A,1,2,s\nM,1,B,1,,s\nM,1,C,1,1,t\nM,1,D,1,1,t\nN,1,E,1,2,t`)).toEqual([
    '3 order: is empty, though other steps of the recording have it',
    '5 order: order 1 stands twice in the recording',
    '6 map_name: is another map than in line 4, which has the same recording',
  ]);
});

test('[IMPORT-9] a recording begins with its first step by order, and its session id has the form of the API', async () => {
  const columns = 'map_name,recording_session_id,stage_name,duration_secs,order,started_at\n';
  const [recording] = await recordingsOf(`${columns}M,s,B,1,2,2026-07-01T08:00:05Z\nM,s,A,5,1,2026-07-01T08:00:00Z`);
  expect(recording!.started_at).toBe('2026-07-01T08:00:00.000Z');
  expect(await errorsIn(`${columns}M,a b,A,1,1,`)).toEqual([
    expect.stringMatching(/^2 recording_session_id: must be /),
  ]);
});

test('[IMPORT-19] a file with too many steps, recordings or steps of a recording is refused', async () => {
  const step = 'M,1,A,1';
  expect(await errorsIn(lines(...Array<string>(1_001).fill(step)))).toEqual(['1002 case_id: has more than 1000 steps']);
  const tooLarge = 'here the file has more than 20000 steps or 5000 recordings; divide it';
  const ofRecordings = (count: number, each: number) =>
    lines(...Array.from({ length: count * each }, (_, index) => `M,${index % count},A,1`));
  expect(await errorsIn(ofRecordings(5_001, 1))).toEqual([`5002 -: ${tooLarge}`]);
  expect(await errorsIn(ofRecordings(5_000, 4))).toEqual([]);
  expect(await errorsIn(`${ofRecordings(5_000, 4)}\n${step}`)).toEqual([`20002 -: ${tooLarge}`]);
});

test('[IMPORT-5] of many errors, those of the first lines are listed, and all are counted', async () => {
  const { errors } = await readFile(lines(...Array<string>(1_000).fill('M,1,A,x')));
  expect(errors.total).toBe(1_000);
  expect(errors.first().map(({ line }) => line)).toEqual(Array.from({ length: 200 }, (_, index) => index + 2));
});

test('[IMPORT-18] reading pauses at each line, also at blank ones', async () => {
  let asked = 0;
  const yieldIfDue = () => void (asked += 1);
  const file = `${'\n'.repeat(200)}map_name,case_id,stage_name,duration_secs\n${'\n'.repeat(300)}Assembly,1,A,1\n`;
  const { recordings } = await readFile(file, yieldIfDue);
  expect(recordings).toHaveLength(1);
  expect(recordings[0]!.line).toBe(502);
  expect(asked).toBeGreaterThan(500);
});
