import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openServer } from '../../../server/app.ts';
import { createAccount } from '../../../server/auth/new-account.ts';
import { closeServer } from '../../contract/close-server.ts';
import { atRest, current, device, idleStatus, manualSync, memoryStorage, network } from '../../device/devices.ts';
import { findFreePort } from '../../free-port.ts';
import { Faults, noFaults } from '../../simulation/faults.ts';
import { runCommand } from '../operations/command.ts';

const steps = [{ stage_name: 'Cut', order: 1, duration_secs: 1 }];

/** Opens a phone whose one recording is on the server, and restores the server to a state before it. */
async function recordedThenRestored() {
  const folder = await mkdtemp(join(tmpdir(), 'gemba-shown-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [live, backup] = [join(folder, 'live'), join(folder, 'backup')];
  const port = await findFreePort();
  const open = () => openServer({ dataDir: live, port, host: '127.0.0.1' });
  const server = await open();
  const { api_key: token } = await createAccount(server, { name: 'Test', plan: 'team' });
  const [storage, name, net] = [memoryStorage(), `phone-${randomUUID()}`, network()];
  const openPhone = (faults: Faults) =>
    device({ url: server.url, token, name, storage: faults.storage(storage), ...manualSync(net) });
  const life = { isOver: false };
  const faults = new Faults((point) => life.isOver && point === 'after write of records_v1');
  const phone = await openPhone(faults);
  const { map_id } = await phone.createMap({ name: 'Saw' });
  await phone.sync();
  expect(await runCommand('backup', [backup], { DATA_DIR: live })).toMatchObject({ exitCode: 0 });
  const { recording_session_id } = await phone.importRecording({ mapId: map_id, recording: { steps } });
  await phone.sync();
  expect(await atRest(phone)).toMatchObject(idleStatus);
  await closeServer(server, live);
  expect(await runCommand('restore', [backup], { DATA_DIR: live })).toMatchObject({ exitCode: 0 });
  const restored = await open();
  onTestFinished(() => restored.close());
  return { phone, faults, life, net, openPhone, map_id, recording_session_id };
}

test('[DEVICE-21] no emission lacks the recording while a device pulls from a restored server and sends it again', async () => {
  const { phone, map_id } = await recordedThenRestored();
  const shown: number[] = [];
  const counted: number[] = [];
  phone.runs$(map_id).subscribe((runs) => shown.push(runs.length));
  phone.status$.subscribe(({ pending }) => counted.push(pending));
  await phone.sync();
  await phone.sync();
  expect(await atRest(phone)).toMatchObject(idleStatus);
  expect(new Set(shown)).toEqual(new Set([1]));
  expect(counted.slice(0, -1)).toContain(1);
  expect(await current(phone.runs$(map_id))).toMatchObject([{ number: 1, pending: false }]);
});

test('[DEVICE-21] an app that ended between the two shows the recording and counts it as waiting when it starts again offline', async () => {
  const { phone, faults, life, net, openPhone, map_id, recording_session_id } = await recordedThenRestored();
  life.isOver = true;
  await Promise.race([phone.sync(), faults.died]);
  expect(faults.dead).toBe(true);
  net.online = false;
  const again = await openPhone(noFaults());
  expect(await current(again.runs$(map_id))).toMatchObject([{ recording_session_id, pending: true }]);
  expect(await current(again.custody$(recording_session_id))).toBe('device');
  expect(await current(again.status$)).toMatchObject({ pending: 1, pending_steps: 1 });
  net.online = true;
  for (let round = 0; round < 2; round++) await again.sync();
  expect(await atRest(again)).toMatchObject(idleStatus);
  expect(await current(again.custody$(recording_session_id))).toBe('server');
});
