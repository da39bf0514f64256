/** A restore lost a recording, and another device has used its session since: a person sends it under a new one. */
import { expect, test } from 'vitest';
import { runScope } from '../../../client/client.ts';
import { backUpDatabase } from '../../../server/backup/backup.ts';
import { restoreDatabase } from '../../../server/backup/restore.ts';
import { current } from '../../device/devices.ts';
import { phonesOf, recordingOf, sync } from '../../device/phones.ts';
import { restartableServer } from '../relay/restartable-server.ts';

test.each([
  { device: 'a device of all runs', options: {} },
  { device: 'a device with a scope', options: { scope: runScope({ runsMax: 50 }) } },
])('[CUSTODY-4] $device shows it, and has it alone until it is sent', async ({ options }) => {
  const { server, live, backup, close, reopen } = await restartableServer();
  const { rest, newPhone } = await phonesOf(server);
  const { phone, ...others } = await newPhone(options);
  const syncNow = () => sync({ phone, ...others });
  const { map_id } = await phone.createMap({ name: 'Saw' });
  await syncNow();
  await backUpDatabase(live, backup);
  await phone.importRecording({ mapId: map_id, recording: recordingOf('s') });
  await syncNow();
  await close();
  await restoreDatabase({ from: backup, dataDir: live, now: new Date() });
  await reopen();
  await expect.poll(() => rest.list(`/maps/${map_id}/runs`).catch(() => ['none yet'])).toEqual([]);
  const steps = [{ stage_name: 'Other', order: 1, duration_secs: 9 }];
  const sent = await rest.send('POST', `/maps/${map_id}/recording`, { recording_session_id: 's', steps });
  expect(sent.status).toBe(200);
  await syncNow();
  await syncNow();
  const [refused] = await current(phone.attention$);
  expect(refused).toMatchObject({ error: { code: 'recording_session_mismatch' } });
  await phone.resolve(refused!.seq, 'new_id');
  expect(await current(phone.custody$('s'))).toBe('device');
  expect(await current(phone.runs$(map_id))).toHaveLength(2);
  await syncNow();
  expect(await rest.list(`/maps/${map_id}/runs`)).toHaveLength(2);
  expect(await current(phone.custody$('s'))).toBe('server');
});
