import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openServer, type RunningServer } from '../../../server/app.ts';
import { createAccount } from '../../../server/auth/new-account.ts';
import type { Gemba } from '../../../client/client.ts';
import type { RunDoc } from '../../../shared/schema/run.ts';
import { findFreePort } from '../../free-port.ts';
import { runCommand } from '../operations/command.ts';
import { closeServer } from '../../contract/close-server.ts';
import { restClient } from '../../device/test-server.ts';
import { atRest, current, device, eventually, network, type Network } from '../../device/devices.ts';

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
  const port = await findFreePort();
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

const step = (stage_name: string, order: number) => ({ stage_name, order, duration_secs: 10 });

/**
 * A phone that records, and a desk that corrects; the second run and all corrections come after the backup. Both are
 * offline when the server is restored.
 */
async function correctedThenRestored(name: string, { phonePulls }: { phonePulls: boolean }) {
  const [live, backup] = [join(folder, name), join(folder, `${name}-backup`)];
  const port = await findFreePort();
  const server = await open(live, port);
  const { api_key: token } = await createAccount(server, { name: 'Test', plan: 'team' });
  const [phoneNet, deskNet] = [network(), network()];
  const opened = (net: Network) => device({ url: server.url, token, fetch: net.fetch });
  const [phone, desk] = [await opened(phoneNet), await opened(deskNet)];
  const { map_id } = await phone.createMap({ name: 'Saw' });
  const record = async () => {
    const recording = { steps: [step('Cut', 1), step('Weld', 2)] };
    const { run_id } = await phone.importRecording({ mapId: map_id, recording });
    await phone.sync();
    return run_id;
  };
  const early = await record();
  expect(await runCommand('backup', [backup], { DATA_DIR: live })).toMatchObject({ exitCode: 0 });
  const late = await record();
  await syncUntilQuiet(phone);
  phoneNet.online = phonePulls;
  await desk.sync();
  for (const run_id of [early, late]) {
    await desk.correctRun(run_id, [step('Cut', 1)]);
    await desk.correctRun(run_id, [step('Cut it', 1), step('Oil', 2)]);
    await desk.updateRun(run_id, { tags: ['early'], excluded: { reason: 'Power cut' } });
  }
  for (const gemba of [desk, phone]) await gemba.sync();
  if (phonePulls) {
    expect(await current(phone.run$(late))).toMatchObject({ revision: 3, tags: ['early'], pending: false });
  }
  phoneNet.online = deskNet.online = false;
  await closeServer(server, live);
  expect(await runCommand('restore', [backup], { DATA_DIR: live })).toMatchObject({ exitCode: 0 });
  const restored = await open(live, port);
  const close = async () => {
    for (const gemba of [phone, desk]) await gemba.close();
    await restored.close();
  };
  return { phone, desk, phoneNet, deskNet, early, late, rest: restClient(server.url, token), close };
}

const names = ({ steps = [] }: Partial<RunDoc>) => steps.map(({ stage_name }) => stage_name);
const syncUntilQuiet = async (gemba: Gemba) => {
  await gemba.sync();
  await eventually(gemba.status$, ({ phase, pending }) => phase === 'idle' && pending === 0);
};

test('[RUN-13] a server restored from a backup gets back the corrections of runs, each once', async () => {
  const { phone, desk, early, late, rest, close, ...nets } = await correctedThenRestored('corrected', {
    phonePulls: true,
  });
  const pending = [step('Cut it', 1), step('Oil', 2), step('Pack', 3)];
  await phone.correctRun(early, pending);
  // The first device that syncs decides: a desk that came first would give back the correction before.
  nets.phoneNet.online = true;
  await syncUntilQuiet(phone);
  nets.deskNet.online = true;
  for (const gemba of [desk, phone]) await syncUntilQuiet(gemba);
  const expected = { revision: expect.any(Number), tags: ['early'], excluded: { reason: 'Power cut' } };
  const [first, second] = [await rest.get<RunDoc>(`/runs/${early}`), await rest.get<RunDoc>(`/runs/${late}`)];
  expect([first, second]).toMatchObject([
    expected,
    { ...expected, steps: [{ stage_name: 'Cut it' }, { stage_name: 'Oil' }] },
  ]);
  expect(names(first)).toEqual(['Cut it', 'Oil', 'Pack']);
  expect(names({ steps: second.recorded_steps! })).toEqual(['Cut', 'Weld']);
  for (const gemba of [phone, desk]) {
    expect(await current(gemba.attention$)).toEqual([]);
    expect(await current(gemba.run$(late))).toEqual({ ...second, pending: false });
  }
  await close();
});

test('[RUN-14] a correction of a run that the restored server lacks needs attention, and is sent by itself once the run is there', async () => {
  const { phone, desk, phoneNet, deskNet, late, rest, close } = await correctedThenRestored('lacking', {
    phonePulls: false,
  });
  deskNet.online = true;
  await syncUntilQuiet(desk);
  const refused = await current(desk.attention$);
  const waiting = expect.stringContaining('sent by itself if the run comes back');
  expect(refused.map(({ name, error, remedies, message }) => [name, error.code, remedies, message])).toEqual([
    ['correct_run', 'run_not_found', ['discard'], waiting],
    ['update_run', 'run_not_found', ['discard'], waiting],
  ]);
  await expect(desk.resolve(refused[0]!.seq, 'send_again')).rejects.toMatchObject({ code: 'remedy_unfit' });
  phoneNet.online = true;
  await syncUntilQuiet(phone);
  await desk.sync();
  await eventually(desk.attention$, ({ length }) => length === 0);
  await syncUntilQuiet(desk);
  const run = await rest.get<RunDoc>(`/runs/${late}`);
  expect([names(run), run.tags, run.revision]).toEqual([['Cut it', 'Oil'], ['early'], 2]);
  await close();
});

test('[RUN-15] [RUN-16] a device withdraws a correction that the run has by now, and sends none over a newer one', async () => {
  const { phone, desk, phoneNet, deskNet, late, rest, close } = await correctedThenRestored('overtaken', {
    phonePulls: true,
  });
  deskNet.online = true;
  await syncUntilQuiet(desk);
  expect(await current(desk.attention$)).toHaveLength(2);
  deskNet.online = false;
  phoneNet.online = true;
  await syncUntilQuiet(phone);
  const newer = { steps: [step('Saw', 1)] };
  expect((await rest.send('POST', `/runs/${late}/correct`, newer)).status).toBe(200);
  deskNet.online = true;
  await syncUntilQuiet(desk);
  const [overtaken, ...others] = await current(desk.attention$);
  expect(others).toEqual([]);
  expect(overtaken).toMatchObject({
    name: 'correct_run',
    is_overtaken: true,
    remedies: ['discard'],
    message: expect.stringContaining('keeps that newer change'),
  });
  await expect(desk.resolve(overtaken!.seq, 'send_again')).rejects.toMatchObject({ code: 'remedy_unfit' });
  expect(names(await rest.get<RunDoc>(`/runs/${late}`))).toEqual(['Saw']);
  await desk.resolve(overtaken!.seq, 'discard');
  expect(await current(desk.attention$)).toEqual([]);
  await close();
});

test('[RUN-19] a deletion of a run that the restored server lacked waits for a person, also once the run is there', async () => {
  const { phone, desk, phoneNet, deskNet, late, rest, close } = await correctedThenRestored('deleted', {
    phonePulls: false,
  });
  await desk.deleteRun(late);
  deskNet.online = true;
  await syncUntilQuiet(desk);
  phoneNet.online = true;
  await syncUntilQuiet(phone);
  for (let round = 0; round < 2; round++) await syncUntilQuiet(desk);
  await rest.get<RunDoc>(`/runs/${late}`);
  const [refused, ...others] = await current(desk.attention$);
  expect(others).toEqual([]);
  expect(refused).toMatchObject({
    name: 'delete_run',
    remedies: ['send_again', 'discard'],
    message: expect.stringContaining('The server did not have its run.'),
  });
  await desk.resolve(refused!.seq, 'send_again');
  await syncUntilQuiet(desk);
  await expect(rest.get<RunDoc>(`/runs/${late}`)).rejects.toThrow('404');
  expect(await current(desk.attention$)).toEqual([]);
  await close();
});
