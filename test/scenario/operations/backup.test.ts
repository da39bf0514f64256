/** Backup and restore of the embedded database while servers run on it. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backUpDatabase } from '../../../server/backup/backup.ts';
import { restoreDatabase } from '../../../server/backup/restore.ts';
import { Api, expectProblem, newApi, steps } from '../../contract/fixture.ts';
import { databaseFolders, backupTime, open } from './database-folders.ts';
import { runCommand } from './command.ts';
import { closeServer } from '../../contract/close-server.ts';

test('[BACKUP-1] a backup of a server that writes meanwhile is one instant of it, and holds all it acknowledged before', async () => {
  const { live, backup, root } = databaseFolders();
  const server = await open(live);
  const api = await newApi(server);
  const { id } = await api.createMap();
  let recorded = 0;
  const stop = new AbortController();
  const record = async () => {
    while (!stop.signal.aborted) {
      await api.record(id, { steps: steps('Cut', `${recorded}`) });
      recorded += 1;
    }
  };
  const recording = record();
  await expect.poll(() => recorded).toBeGreaterThan(5);
  const before = recorded;
  const command = await runCommand('backup', [backup], { DATA_DIR: live });
  const during = recorded;
  stop.abort();
  await recording;
  expect(command.printed).toMatch(/^Backed up .*live to .*backup: 1 accounts, \d+ bytes\.\n$/);
  expect(during).toBeGreaterThan(before);
  expect(readdirSync(backup)).toEqual(['gemba.db']);
  await closeServer(server, live);

  const elsewhere = join(root, 'elsewhere');
  expect(await restoreDatabase({ from: backup, dataDir: elsewhere, now: backupTime })).toEqual({
    ok: true,
    replacedFolder: undefined,
    accounts: 1,
    photos: { present: 0, missing: [] },
  });
  const restored = await open(elsewhere);
  const map = await new Api({ ...api, url: restored.url }).get(`/api/v1/maps/${id}`);
  expect(map.body.run_count).toBeGreaterThanOrEqual(before);
  expect(map.body.run_count).toBeLessThanOrEqual(recorded);
  // The stages are those of the last run, so the backup holds no half recording.
  expect(map.body.stages[1].stage).toBe(`${map.body.run_count - 1}`);
  await restored.close();
});

test('[EVENTLOG-13] whoever followed events that a restore took back is told to read the records again', async () => {
  const { live, backup, root } = databaseFolders();
  const server = await open(live);
  const api = await newApi(server);
  const { id } = await api.createMap();
  expect(await backUpDatabase(live, backup)).toMatchObject({ ok: true });
  await api.createMap();
  const { body: followed } = await api.get('/api/v1/events');
  await closeServer(server, live);

  const elsewhere = join(root, 'elsewhere');
  expect(await restoreDatabase({ from: backup, dataDir: elsewhere, now: backupTime })).toMatchObject({ ok: true });
  const restored = await open(elsewhere);
  const after = new Api({ ...api, url: restored.url });
  const expired = await after.get(`/api/v1/events?after=${followed.next_cursor}`);
  expectProblem(expired, 410, 'cursor_expired');
  const { body: left } = await after.get(`/api/v1/events?after=${expired.body.oldest_cursor}`);
  expect(left.data).toEqual(followed.data.slice(0, 1));
  expect(left.data[0].subject.id).toBe(id);
  const made = await after.createMap();
  const { body: next } = await after.get(`/api/v1/events?after=${left.next_cursor}`);
  expect(next.data).toMatchObject([{ type: 'map.created', version: made.version }]);
  await restored.close();
});

test('[BACKUP-2] [BACKUP-13] a backup overwrites nothing, and what is no database is said so', async () => {
  const { live, backup } = databaseFolders();
  expect(await backUpDatabase(live, backup)).toMatchObject({
    ok: false,
    problem: expect.stringContaining('no database'),
  });
  await closeServer(await open(live), live);
  mkdirSync(backup);
  writeFileSync(join(backup, 'precious'), 'x');
  expect(await backUpDatabase(live, backup)).toEqual({ ok: false, problem: `${backup} is not empty` });
  expect(readdirSync(backup)).toEqual(['precious']);
  rmSync(join(backup, 'precious'));
  expect(await backUpDatabase(live, backup)).toMatchObject({ ok: true, accounts: 0 });
});

test('[BACKUP-3] a restore refuses while a server has the database open, also an idle one', async () => {
  const { live, backup } = databaseFolders();
  const server = await open(live);
  const api = await newApi(server);
  await backUpDatabase(live, backup);
  const { id } = await api.createMap();
  const refused = await runCommand('restore', [backup], { DATA_DIR: live });
  expect(refused).toEqual({
    exitCode: 1,
    printed: expect.stringMatching(/^gemba: a server has .* open .*stop it first\n$/),
  });
  expect((await api.get(`/api/v1/maps/${id}`)).status).toBe(200);
  expect((await api.post('/api/v1/maps', { name: 'After' })).status).toBe(201);
  expect(readdirSync(live).filter((name) => !/^(gemba|limits)\.db(-wal|-shm)?$/.test(name))).toEqual([]);
  await closeServer(server, live);
});

test('[BACKUP-4] [BACKUP-14] a restore keeps what it replaces, changes the epoch, and can itself be undone', async () => {
  const { live, backup } = databaseFolders();
  let server = await open(live);
  const api = await newApi(server);
  const before = await api.createMap();
  const epoch = await server.store.epoch();
  await backUpDatabase(live, backup);
  const after = await api.createMap();
  await closeServer(server, live);

  const restored = await restoreDatabase({ from: backup, dataDir: live, now: backupTime });
  const replacedFolder = join(live, 'replaced-2026-05-04T10-00-00.000Z');
  expect(restored).toEqual({ ok: true, replacedFolder, accounts: 1, photos: { present: 0, missing: [] } });
  server = await open(live);
  const statusOf = async ({ id }: { id: string }) => (await api.at(server).get(`/api/v1/maps/${id}`)).status;
  expect([await statusOf(before), await statusOf(after)]).toEqual([200, 404]);
  expect(await server.store.epoch()).not.toBe(epoch);
  await closeServer(server, live);

  expect(
    await restoreDatabase({ from: replacedFolder, dataDir: live, now: new Date(backupTime.getTime() + 1) }),
  ).toMatchObject({
    ok: true,
  });
  server = await open(live);
  expect([await statusOf(before), await statusOf(after)]).toEqual([200, 200]);
  await closeServer(server, live);
});

test('[BACKUP-5] a backup that is missing, damaged or from a newer Gemba replaces nothing', async () => {
  const { live, backup, root } = databaseFolders();
  const server = await open(live);
  const api = await newApi(server);
  for (let count = 0; count < 20; count++) await api.createMap({ description: 'x'.repeat(5_000) });
  await backUpDatabase(live, backup);
  await closeServer(server, live);
  const good = readFileSync(join(backup, 'gemba.db'));
  const live1 = readFileSync(join(live, 'gemba.db'));

  const damaged = Buffer.from(good);
  damaged.fill(0xff, Math.floor(good.length / 2), Math.floor(good.length / 2) + 8_192);
  const newer = Buffer.from(good);
  // user_version: https://sqlite.org/fileformat2.html#the_database_header
  newer.writeUInt32BE(9_999, 60);
  const wrong: [string, Buffer, RegExp][] = [
    ['damaged', damaged, /is damaged|no database of Gemba/],
    ['truncated', good.subarray(0, good.length / 2), /is damaged|no database of Gemba/],
    ['text', Buffer.from('not a database at all'), /no database of Gemba/],
    ['newer', newer, /newer Gemba \(schema 9999\)/],
  ];
  for (const [name, bytes, problem] of wrong) {
    const from = join(root, name);
    mkdirSync(from);
    writeFileSync(join(from, 'gemba.db'), bytes);
    const outcome = await restoreDatabase({ from, dataDir: live, now: backupTime });
    expect(outcome, name).toEqual({ ok: false, problem: expect.stringMatching(problem) });
  }
  const nowhere = await restoreDatabase({ from: join(root, 'nowhere'), dataDir: live, now: backupTime });
  expect(nowhere).toMatchObject({ ok: false, problem: expect.stringContaining('no backup') });
  expect(readFileSync(join(live, 'gemba.db')).equals(live1)).toBe(true);
  expect(readdirSync(live).filter((name) => name.startsWith('gemba'))).toEqual(['gemba.db']);
});

test('[BACKUP-6] a database that is too damaged to be opened is replaced and kept as well', async () => {
  const { live, backup } = databaseFolders();
  await closeServer(await open(live), live);
  await backUpDatabase(live, backup);
  writeFileSync(join(live, 'gemba.db'), 'what a dying disk left');
  expect(await restoreDatabase({ from: backup, dataDir: live, now: backupTime })).toMatchObject({ ok: true });
  expect(readFileSync(join(live, 'replaced-2026-05-04T10-00-00.000Z', 'gemba.db'), 'utf8')).toBe(
    'what a dying disk left',
  );
  await closeServer(await open(live), live);
});

test('[BACKUP-8] [BACKUP-16] an ETag from before a restore stands for nothing that is written after it', async () => {
  const { live, backup } = databaseFolders();
  let server = await open(live);
  const api = await newApi(server);
  const { id } = await api.createMap();
  const path = `/api/v1/maps/${id}`;
  await backUpDatabase(live, backup);
  const lost = (await api.patch(path, { name: 'Lost' })).headers.get('ETag')!;
  await closeServer(server, live);
  const etags = new Set([lost]);
  // One backup can be restored more than once.
  for (let count = 1; count <= 3; count++) {
    await restoreDatabase({ from: backup, dataDir: live, now: new Date(backupTime.getTime() + count) });
    server = await open(live);
    const restored = api.at(server);
    const etag = (await restored.patch(path, { name: `Kept ${count}` })).headers.get('ETag')!;
    expect(etags).not.toContain(etag);
    etags.add(etag);
    expect((await restored.get(path, { 'If-None-Match': lost })).status).toBe(200);
    expect((await restored.patch(path, { name: 'Blind' }, { 'If-Match': lost })).status).toBe(412);
    await closeServer(server, live);
  }
});

test('[BACKUP-10] nobody but the owner reads what is kept, also where an earlier version had left it open', async () => {
  const { live, backup } = databaseFolders();
  const modes = (folder: string) =>
    ['', ...readdirSync(folder)].map((name) => (statSync(join(folder, name)).mode & 0o777).toString(8));
  let server = await open(live);
  await (await newApi(server)).createMap();
  expect(new Set(modes(live))).toEqual(new Set(['700', '600']));
  await closeServer(server, live);
  for (const name of readdirSync(live)) chmodSync(join(live, name), 0o644);
  chmodSync(live, 0o755);
  server = await open(live);
  await backUpDatabase(live, backup);
  for (const folder of [live, backup]) {
    expect([folder, ...modes(folder)]).toEqual([folder, '700', ...readdirSync(folder).map(() => '600')]);
  }
  await closeServer(server, live);
});
