import { expect, test } from 'vitest';
import { expectProblem, newApi, type GetServers } from '../fixture.ts';
import { pullAll, SyncClient } from '../sync-client.ts';

export function answersContract(servers: GetServers): void {
  test('[PUSH-16] a rejection is short, however long what it rejects', async () => {
    const client = new SyncClient(await newApi(servers().first));
    const fields = Object.fromEntries(Array.from({ length: 50 }, (_, index) => ['k'.repeat(5_000) + index, 1]));
    const { error } = await client.apply('create_map', fields);
    expect(error.errors).toHaveLength(5);
    expect(JSON.stringify(error).length).toBeLessThan(3_000);
  });

  test('[PUSH-17] [PUSH-35] a client with too many rejections has to acknowledge them before it goes on', async () => {
    const client = new SyncClient(await newApi(servers().first));
    const many = Array.from({ length: 10_000 }, () => ({}));
    await client.push(many);
    expect((await client.push([{}])).status).toBe(200);
    const refused = await client.push([{}]);
    expectProblem(refused, 409, 'acknowledge_first');
    expect(refused.body.unacknowledged).toBe(10_001);
    expect((await client.push([{ seq: 10_001 }])).body).toMatchObject({ results: [{ seq: 10_001 }], last_seq: 10_001 });
    expect((await client.push([{}], { acked: 10_001 })).body).toMatchObject({ last_seq: 10_002 });
  });

  test('[PUSH-7] an answer is remembered until it is acknowledged', async () => {
    const client = new SyncClient(await newApi(servers().first));
    const batch = ['A', '', 'C'].map((name) => client.next('create_map', { name }));
    await client.push(batch.slice(0, 1));
    await client.push(batch.slice(1, 2));
    expect((await client.push(batch.slice(2), { acked: 2 })).body.results).toHaveLength(1);
    const again = await client.push(batch, { acked: 2 });
    expect(again.body.results.map(({ seq }: { seq: number }) => seq)).toEqual([3]);
    expect(again.body.last_seq).toBe(3);
    const carried = await client.push(batch, { carried: true });
    expect(carried.body.results.map(({ seq }: { seq: number }) => seq)).toEqual([1, 3]);
  });

  test('[PUSH-50] an acknowledgement of numbers that the server has not answered counts up to its last answer', async () => {
    const client = new SyncClient(await newApi(servers().first));
    // A server that was restored from a backup may hear of answers that it has not given yet.
    await client.push([client.next('create_map', { name: 'Saw' })], { acked: 9 });
    const refused = client.next('create_map', { name: '' });
    await client.push([refused], { acked: 9 });
    const { changes } = await pullAll(client, { client_id: client.id });
    expect(changes.at(-1)).toMatchObject({ doc: { last_seq: 2, acked_seq: 1, rejections: [{ seq: 2 }] } });
    expect((await client.push([refused], { acked: 1 })).body.results).toMatchObject([{ seq: 2, status: 'rejected' }]);
  });

  test('[PUSH-34] the last 1,000 acknowledged answers are told to a device that carries the work on', async () => {
    const client = new SyncClient(await newApi(servers().first));
    const { id: map_id } = await client.api.createMap();
    const batch = Array.from({ length: 1_002 }, () => client.next('update_map', { map_id }));
    for (const pushed of [batch.slice(0, 2), batch.slice(2, 3), batch.slice(3)]) await client.push(pushed);
    await client.push([], { acked: 1_002 });
    expect((await client.push(batch)).body.results).toEqual([]);
    const { results } = (await client.push(batch, { carried: true })).body;
    expect(results.map(({ seq }: { seq: number }) => seq)).toEqual(batch.slice(2).map(({ seq }) => seq));
  });
}
