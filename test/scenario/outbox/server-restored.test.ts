import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openServer, type RunningServer } from '../../../server/app.ts';
import { createAccount } from '../../../server/auth/new-account.ts';
import type { RunDoc } from '../../../shared/schema/run.ts';
import { freePort } from '../../free-port.ts';
import { runCommand } from '../operations/command.ts';
import { closeServer } from '../../contract/close-server.ts';
import { restClient } from '../../device/test-server.ts';
import { atRest, current, device } from '../../device/devices.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gemba-restore-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const open = (dataDir: string, port: number): Promise<RunningServer> =>
  openServer({ dataDir, port, host: '127.0.0.1' });

test('[DEVICE-7] a server restored from a backup gets back every recording that a device still holds', async () => {
  const live = join(folder, 'live');
  const backup = join(folder, 'backup');
  const port = await freePort();
  let server = await open(live, port);
  const { api_key: token } = await createAccount(server, { name: 'Test', plan: 'team' });
  const phone = await device({ url: server.url, token });
  const { map_id } = await phone.createMap({ name: 'Saw' });
  const recorded: number[] = [];
  const record = async (secs: number) => {
    const steps = [{ stage_name: 'Cut', order: 1, duration_secs: secs }];
    recorded.push((await phone.importRecording({ mapId: map_id, recording: { steps } })).run_id);
    await phone.sync();
  };
  await record(1);
  expect(await runCommand('backup', [backup], { DATA_DIR: live })).toMatchObject({ exitCode: 0 });

  await record(2);
  await record(3);
  expect(await atRest(phone)).toMatchObject({ phase: 'idle', pending: 0 });
  await closeServer(server, live);
  expect(await runCommand('restore', [backup], { DATA_DIR: live })).toMatchObject({ exitCode: 0 });

  // Work made while the server was away is sent together with the work that the server lost.
  const { map_id: pending } = await phone.createMap({ name: 'Made meanwhile' });
  await phone.addStage(pending, { stage: 'Cut' });
  server = await open(live, port);
  await phone.sync();
  await phone.sync();
  expect(await atRest(phone)).toMatchObject({ phase: 'idle', pending: 0, attention: 0 });
  const rest = restClient(server.url, token);
  for (const runId of recorded) {
    const run = await rest.get<RunDoc>(`/runs/${runId}`);
    expect(await current(phone.run$(runId))).toEqual({ ...run, pending: false });
  }
  expect(await rest.list(`/maps/${map_id}/runs`)).toHaveLength(3);
  expect(await rest.list(`/maps`)).toMatchObject([{ id: pending, stage_count: 1 }, { id: map_id }]);
  await phone.close();
  await server.close();
});
