import { expect, test } from 'vitest';
import { contentText, type EarlierRecording } from '../../shared/import/plan-import.ts';
import { accountMap, planOf } from './read-file.ts';

const header = 'map_id,map_name,case_id,stage_name,duration_secs';
const lines = (...rows: string[]): string => [header, ...rows].join('\n');
const { id } = accountMap({});
const otherId = id.replace('018f', '018e');

async function errorsOf(...args: Parameters<typeof planOf>): Promise<string[]> {
  const { report } = await planOf(...args);
  return report.errors.map(({ line, column, message }) => `${line} ${column ?? '-'}: ${message}`);
}

test('[IMPORT-10] a map is found by its id, also archived, and else by a name that one unarchived map has', async () => {
  const maps = [
    accountMap({ archived: true }),
    accountMap({ id: otherId, name: 'Assembly' }),
    accountMap({ id: 'binned', name: 'Paint', deleted: true }),
  ];
  const mapsOf = async (row: string) => (await planOf(lines(row), { maps })).report.maps.map((map) => map.map_id);
  expect(await mapsOf(`${id.toUpperCase()},Whatever,1,A,1`)).toEqual([id]);
  expect(await mapsOf('unknown,Assembly,1,A,1')).toEqual([otherId]);
  expect(await mapsOf(', Assembly ,1,A,1')).toEqual([otherId]);
  expect(await errorsOf(lines('unknown,,1,A,1'), { maps })).toEqual(['2 map_id: is no map of this account']);
  expect(await errorsOf(lines('BINNED,Assembly,1,A,1'), { maps })).toEqual([
    '2 map_id: is the map Paint, which is in the recycle bin',
  ]);
  expect(await errorsOf(lines(',Paint,1,A,1', ',Paint,2,A,1'), { maps })).toEqual([
    '2 map_name: is the name of no map; make it first, or import with create_maps=true',
  ]);
  const twice = [accountMap({}), accountMap({ id: otherId })];
  expect(await errorsOf(lines(',Assembly,1,A,1'), { maps: twice })).toEqual([
    '2 map_name: is the name of more than one map; say which by map_id',
  ]);
});

test('[IMPORT-11] missing maps are made under ids that follow from their names, as many as the plan allows', async () => {
  const file = lines(',New,1,A,1', ',Other,1,A,1', ',New,2,A,1');
  const first = await planOf(file, { createMaps: true });
  expect(first.newMaps.map(({ name }) => name)).toEqual(['New', 'Other']);
  expect(first.report.maps).toMatchObject([
    { name: 'New', new: true, recordings: 2 },
    { name: 'Other', recordings: 1 },
  ]);
  expect((await planOf(file, { createMaps: true })).newMaps).toEqual(first.newMaps);
  const ids = first.newMaps.map(({ map_id }) => map_id);
  for (const made of ids) expect(made).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  const renamed = await planOf(file, { createMaps: true, maps: [accountMap({ id: ids[0]!, name: 'Renamed' })] });
  expect(renamed.newMaps[0]!.map_id).not.toBe(ids[0]);
  expect(await errorsOf(file, { createMaps: true, moreMapsMax: 1 })).toEqual([
    '3 map_name: would be one more map than the plan of the account allows',
  ]);
  expect(await errorsOf(lines(`,${'x'.repeat(201)},1,A,1`), { createMaps: true })).toEqual([
    '2 map_name: must be 1 to 200 characters, of which one can be seen',
  ]);
});

test('[IMPORT-12] the key, the map, the start and the steps make the session id, and nothing else does', async () => {
  const columns = 'map_name,case_id,stage_name,duration_secs,started_at,operator\n';
  const sessionOf = async (row: string) => (await planOf(columns + row)).uploads[0]!.recording_session_id;
  const session = await sessionOf('Assembly,1,A,1,2026-07-01T08:00:00Z,Ann');
  expect(session).toMatch(/^import-[\da-f]{64}$/);
  expect(await sessionOf(' Assembly,1,A,1.0,2026-07-01T10:00:00+02:00,Bob')).toBe(session);
  for (const other of [
    'Assembly,2,A,1,2026-07-01T08:00:00Z,',
    'Assembly,1,B,1,2026-07-01T08:00:00Z,',
    'Assembly,1,A,1,,',
  ]) {
    expect(await sessionOf(other)).not.toBe(session);
  }
});

test('[IMPORT-11] two maps of one name from another account do not become one', async () => {
  const file = lines('one,Line,1,A,1', 'two,Line,1,A,1', 'one,Line,2,A,1');
  expect(await errorsOf(file, { createMaps: true })).toEqual([
    '3 map_id: is another map of the same name than in line 2; give one of them another name',
  ]);
});

test('[IMPORT-13] a session that is there is no error with the same steps, and one with others or of another map', async () => {
  const columns = 'map_name,recording_session_id,stage_name,duration_secs\n';
  const file = `${columns}Assembly,s,A,1\nAssembly,t,A,1`;
  const steps = (stage_name: string) => [{ stage_name, order: 7, duration_secs: 1, photos: ['p'] }];
  const recorded = (map_id: string, ...names: string[]): EarlierRecording => ({
    map_id,
    isDeleted: false,
    starts: [],
    hasContent: (text) => names.some((name) => contentText(map_id, steps(name)) === text),
  });
  const same = await planOf(file, { earlier: { s: recorded(id, 'B', 'A') } });
  expect(same.report).toMatchObject({ recordings: 2, new: 1, already_there: 1, errors: [] });
  expect(same.uploads.map(({ recording_session_id }) => recording_session_id)).toEqual(['t']);
  const deleted = await planOf(file, { earlier: { s: { ...recorded(otherId), isDeleted: true } } });
  expect(deleted.report).toMatchObject({ new: 1, already_there: 0, deleted: 1, errors: [] });
  expect(await errorsOf(file, { earlier: { t: recorded(id, 'B') } })).toEqual([
    '3 recording_session_id: has the recording session t, which is there with other steps; an import changes no run',
  ]);
  expect(await errorsOf(file, { earlier: { s: recorded(otherId, 'A') } })).toEqual([
    `2 recording_session_id: has the recording session s, which is there as one of another map (${otherId}), perhaps since a map was renamed, archived or deleted; an import changes no run`,
  ]);
});

test('[IMPORT-29] a session that is there with another start is an error, unless a clock or a tool explains it', async () => {
  const [start, sent] = ['2026-07-01T08:00:00.400Z', '2026-07-01T05:00:00.000Z'];
  const there = (...starts: string[]): EarlierRecording => ({
    map_id: id,
    isDeleted: false,
    starts,
    hasContent: () => true,
  });
  const of = (started_at: string, ...starts: string[]) =>
    errorsOf(`map_name,recording_session_id,stage_name,duration_secs,started_at\nAssembly,s,A,1,${started_at}`, {
      earlier: { s: there(...starts) },
    });
  expect(await of('2026-07-01T09:00:00Z', start, sent)).toEqual([
    `2 started_at: has the recording session s, which is there with the same steps and another start, ${start}; an import changes no run`,
  ]);
  expect(await of('2026-07-01T08:00:01.401Z', start)).toHaveLength(1);
  expect(await of('2026-07-01T10:00:00+02:00', start)).toEqual([]);
  expect(await of(sent, start, sent)).toEqual([]);
  expect(await of('', start)).toEqual([]);
  expect(await of(start)).toEqual([]);
});

test('[IMPORT-12] recordings of two maps of one name that are alike are an error, since they would be one', async () => {
  const maps = [accountMap({}), accountMap({ id: otherId })];
  const file = `map_id,map_name,case_id,stage_name,duration_secs\n${id},Assembly,1,A,1\n${otherId},Assembly,1,A,1`;
  expect(await errorsOf(file, { maps })).toEqual([
    '3 case_id: is the same recording as in line 2; give both a recording_session_id',
  ]);
});

test('[IMPORT-15] only the first recording of a map without stages brings stages', async () => {
  const maps = [accountMap({}), accountMap({ id: otherId, name: 'Paint', stage_count: 2 })];
  const file = lines(',Paint,1,A,1', ',Assembly,1,A,1', ',Assembly,2,B,1', ',Paint,2,A,1');
  const { uploads } = await planOf(file, { maps });
  expect(uploads.map(({ stages }) => stages)).toEqual(['keep', 'merge', 'keep', 'keep']);
});
