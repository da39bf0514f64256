/** The work of a device that lacks runs is done once, also with an older or a restored server. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { current, json } from '../../device/devices.ts';
import { testServer, type TestServer } from '../../device/test-server.ts';
import { dropped, numbersShown, record, scopedPhone, steps, type Run } from './scoped-device.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

test('[SCOPE-20] verbs load a run that is not here', async () => {
  const { phone, mapId, runs, rest } = await scopedPhone(server, 6, { runsMax: 1 });
  const id = (number: number) => runs[number - 1]!.id;
  await phone.updateRun(id(1), { name: 'Named' });
  await phone.correctRun(id(2), [{ stage_name: 'Other', order: 1, duration_secs: 9 }]);
  await phone.deleteRun(id(3));
  const comparison = await phone.compareRuns([id(4), id(5)]);
  expect(comparison.runs.map((run) => run.id)).toEqual([id(4), id(5)]);
  await expect(phone.updateRun(999_999, { name: 'No' })).rejects.toMatchObject({ code: 'run_not_found' });
  await phone.sync();
  expect(await rest.get(`/runs/${id(1)}`)).toMatchObject({ name: 'Named' });
  expect(await rest.get(`/runs/${id(2)}`)).toMatchObject({ revision: 2 });
  expect((await rest.list<Run>(`/maps/${mapId}/runs`)).map(({ number }) => number)).toEqual([6, 5, 4, 2, 1]);
  expect(await current(phone.attention$)).toEqual([]);
});

test('[SCOPE-21] [SCOPE-22] the effects of a push are right on a device that lacks runs', async () => {
  const { phone, mapId, runs, rest, net, open } = await scopedPhone(server, 4, { runsMax: 1 }, { pushEffects: true });
  await phone.deleteRun(runs[3]!.id);
  await phone.importRecording({ mapId, recording: { steps } });
  await phone.sync();
  const pulled = await current(phone.map$(mapId));
  expect(pulled).toMatchObject({ run_count: 4, pending: false });
  await phone.deleteRun((await current(phone.runs$(mapId)))[0]!.id);
  await phone.sync();
  const { pending: _pending, analytics: _analytics, ...map } = (await current(phone.map$(mapId)))!;
  expect(await rest.get(`/maps/${mapId}`)).toMatchObject({ ...map, analytics: expect.anything() });
  await phone.updateRun(runs[0]!.id, { name: 'Offline' });
  await phone.close();
  net.answers('sync/pull', (ask, { query }) => (query.get('cursor') === '' ? ask() : json422()));
  const again = await open();
  await again.sync();
  net.answers('sync/pull', (ask) => ask());
  await again.sync();
  expect(await current(again.run$(runs[0]!.id))).toMatchObject({ name: 'Offline', pending: false });
  expect(await rest.get(`/runs/${runs[0]!.id}`)).toMatchObject({ name: 'Offline' });
});

const json422 = () =>
  new Response(
    JSON.stringify({
      type: 't',
      title: 't',
      status: 422,
      code: 'validation_failed',
      detail: 'old',
      errors: [{ path: '/cursor', message: 'old' }],
    }),
    { status: 422, headers: { 'Content-Type': 'application/problem+json' } },
  );

test('[SCOPE-23] after a restore it sends what the server lost, and nothing of what its scope leaves out', async () => {
  const { phone, mapId, runs, rest, net } = await scopedPhone(server, 5, { runsPerMap: 2 });
  await phone.updateRun(runs[0]!.id, { name: 'Kept' });
  await phone.sync();
  const epoch = randomUUID();
  const renewed = async (ask: () => Promise<Response>) => {
    const body = (await (await ask()).json()) as object;
    return json({ ...body, epoch });
  };
  net.answers('sync/pull', renewed);
  net.answers('sync/runs', renewed);
  const pushed: string[] = [];
  net.answers('sync/push', (ask, { body }) => {
    pushed.push(...(JSON.parse(body) as { mutations: { name: string }[] }).mutations.map(({ name }) => name));
    return ask();
  });
  await phone.sync();
  await phone.sync();
  expect(pushed).toEqual([]);
  expect(await numbersShown(phone, mapId)).toContain(1);
  expect(await rest.get(`/runs/${runs[0]!.id}`)).toMatchObject({ name: 'Kept' });
});

test('[SCOPE-24] with a server that knows no scopes it holds all runs', async () => {
  const { net, phone, mapId, open } = await scopedPhone(server, 5, undefined);
  await phone.close();
  net.answers('sync/pull', async (ask) => {
    const body = (await (await ask()).json()) as { partial?: boolean };
    delete body.partial;
    return json(body);
  });
  const pulls: string[] = [];
  const older = await open({ runsMax: 50 });
  await older.sync();
  net.answers('sync/pull', (ask, { query }) => {
    pulls.push(query.get('cursor') ?? '');
    return ask();
  });
  await older.sync();
  expect(await numbersShown(older, mapId)).toEqual([5, 4, 3, 2, 1]);
  expect(pulls).not.toContain('');
});

test('[SCOPE-25] a resent recording whose run is not here is not shown twice', async () => {
  const { phone, mapId, rest, net } = await scopedPhone(server, 1, { runsMax: 1 });
  await phone.importRecording({ mapId, recording: { steps } });
  await phone.sync();
  await record(rest, mapId);
  await phone.sync();
  await dropped(phone, 2).catch(() => undefined);
  const epoch = randomUUID();
  net.answers('sync/pull', async (ask) => json({ ...((await (await ask()).json()) as object), epoch }));
  net.answers('sync/runs', async (ask) => json({ ...((await (await ask()).json()) as object), epoch }));
  const counts: number[] = [];
  phone.map$(mapId).subscribe((map) => counts.push(map!.run_count));
  await phone.sync();
  await phone.sync();
  expect(new Set(counts)).toEqual(new Set([3]));
});
