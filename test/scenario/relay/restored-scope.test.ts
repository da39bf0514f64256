/** A device with a scope that meets carriers alone, and whose server was restored from a backup. */
import { expect, test } from 'vitest';
import { runScope, type ScopedGemba } from '../../../client/client.ts';
import { backUpDatabase } from '../../../server/backup/backup.ts';
import { restoreDatabase } from '../../../server/backup/restore.ts';
import { backupTime } from '../operations/database-folders.ts';
import { current } from '../../device/devices.ts';
import { restartableServer } from './restartable-server.ts';
import { meet, newCarryingPhone, newWatch } from './watches.ts';

/** A scope of 2 runs, and the runs of the server before the backup: the device shows all, so it holds them. */
const cases = [
  { name: 'small runs', count: 5, notes: 0 },
  // A page of `GET /sync/runs` ends at 4 MiB.
  { name: 'runs on two pages', count: 9, notes: 10_000 },
];

test.each(cases)('[RELAY-124] it hands over after the restore, with $name', async ({ count, notes }) => {
  const { live, backup, server, close, reopen } = await restartableServer();
  const made = await newWatch(server, { kind: 'phone', scope: runScope({ runsMax: 2 }) });
  const { rest, mapId, net } = made;
  const device = made.watch as ScopedGemba;
  const steps = Array.from({ length: 80 }, (_, index) => ({
    stage_name: `Step ${index}`,
    order: index + 1,
    duration_secs: 1,
    ...(notes > 0 ? { notes: 'n'.repeat(notes) } : {}),
  }));
  for (let run = 0; run < count; run++) {
    expect(await rest.send('POST', `/maps/${mapId}/recording`, { steps })).toMatchObject({ status: 200 });
  }
  const shown = device.runs$(mapId).subscribe();
  net.online = true;
  await device.sync();
  await device.loadRuns(mapId);
  net.online = false;
  expect(await current(device.runs$(mapId))).toHaveLength(count);
  const phone = await newCarryingPhone(server);
  phone.net.online = true;
  expect(await backUpDatabase(live, backup)).toMatchObject({ ok: true });
  const sessions = [await made.record('Lost')];
  await meet(made, phone);
  expect(await made.custody(sessions[0]!)).toMatchObject({ custody: 'server' });

  await close();
  expect(await restoreDatabase({ from: backup, dataDir: live, now: backupTime })).toMatchObject({ ok: true });
  await reopen();
  await expect.poll(() => made.runs().catch(() => [])).toHaveLength(count);
  sessions.push(await made.record('After'));
  for (let meetings = 0; meetings < 3; meetings++) await meet(made, phone);
  for (const session of sessions) expect(await made.custody(session)).toMatchObject({ custody: 'server' });
  const arrived = (await made.runs()).map((run) => run.recording_session_id);
  expect(arrived.slice(-2).toSorted()).toEqual(sessions.toSorted());
  expect(await current(device.runs$(mapId))).toHaveLength(count + 2);
  shown.unsubscribe();
});
