import { expect, onTestFinished, test, vi } from 'vitest';
import { openServer } from '../../server/app.ts';
import { sliceWeightMax, stageEditWeight } from '../../server/sync/push.ts';
import { expectProblem, newApi, temporaryFolder } from './fixture.ts';
import { SyncClient } from './sync-client.ts';

const editsPerSlice = sliceWeightMax / stageEditWeight;

async function openClient() {
  const { dataDir, remove } = temporaryFolder();
  const server = await openServer({ dataDir, port: 0, host: '127.0.0.1' });
  onTestFinished(async () => {
    await server.close();
    remove();
  });
  const client = new SyncClient(await newApi(server));
  const transact = vi.spyOn(server.store, 'transact');
  return { client, transact };
}

test('[PUSH-15] a long push is applied in slices, each in one transaction, and answered as a whole', async () => {
  const { client, transact } = await openClient();
  const map = (await client.apply('create_map', { name: 'A' })).result;
  transact.mockClear();
  const count = 2 * editsPerSlice + 1;
  const batch = Array.from({ length: count }, (_, index) =>
    client.next('add_stage', index === 700 ? {} : { map_id: map.id, stage: `S${index}`, order: 1 }),
  );
  const short = await client.push(batch.slice(0, editsPerSlice), { acked: 1 });
  expect(transact).toHaveBeenCalledTimes(1);
  transact.mockClear();
  // Acknowledges what it was not answered yet, as after a restore of the server.
  const whole = await client.push(batch, { acked: 10_000 });
  expect(transact).toHaveBeenCalledTimes(3);
  const { results, last_seq } = whole.body;
  expect(last_seq).toBe(1 + count);
  expect(results.map(({ seq }: { seq: number }) => seq)).toEqual(batch.slice(500).map(({ seq }) => seq));
  expect(results.filter(({ status }: { status: string }) => status === 'rejected')).toMatchObject([{ seq: 702 }]);
  expect(short.body.results).toHaveLength(editsPerSlice);
  const again = await client.push(batch.slice(500));
  expect(again.body).toMatchObject({ results, last_seq });
  const stored = (await client.api.get(`/api/v1/maps/${map.id}`)).body;
  expect(stored).toMatchObject({ stage_count: count - 1, stages: { 0: { stage: `S${count - 1}` } } });
});

test('[PUSH-1] a gap in a later slice applies nothing of the push', async () => {
  const { client } = await openClient();
  const batch = Array.from({ length: editsPerSlice + 2 }, () => client.next('add_stage', {}));
  const refused = await client.push([...batch.slice(0, -2), batch.at(-1)]);
  expectProblem(refused, 409, 'sequence_gap');
  expect(refused.body.expected_seq).toBe(1);
  expect((await client.push([])).body).toMatchObject({ results: [], last_seq: 0 });
});

test('[PUSH-15] a long push of recordings is one transaction', async () => {
  const { client, transact } = await openClient();
  const map = (await client.apply('create_map', { name: 'A' })).result;
  transact.mockClear();
  const steps = [{ stage_name: 'Cut', order: 1, duration_secs: 1 }];
  const batch = Array.from({ length: 2_000 }, () => client.next('upload_recording', { map_id: map.id, steps }));
  const { body } = await client.push(batch);
  expect(body.results).toHaveLength(2_000);
  expect(transact).toHaveBeenCalledTimes(1);
});
