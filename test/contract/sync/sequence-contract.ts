import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { expectProblem, newApi, steps, type Received, type GetServers } from '../fixture.ts';
import { pullAll, SyncClient } from '../sync-client.ts';

/** The server takes each number of a sequence once and in order. */
export function sequenceContract(servers: GetServers): void {
  test('[PUSH-1] a gap in the sequence applies nothing and names the seq that is expected', async () => {
    const client = new SyncClient(await newApi(servers().first));
    const batch = ['A', 'B', 'C', 'D'].map((name) => client.next('create_map', { name }));
    await client.push(batch.slice(0, 1));
    for (const gap of [batch.slice(2), [batch[1], batch[3]]]) {
      const refused = await client.push(gap);
      expectProblem(refused, 409, 'sequence_gap');
      expect(refused.body.expected_seq).toBe(2);
    }
    expect((await client.api.get('/api/v1/maps')).body.data).toHaveLength(1);
    expect((await client.push(batch)).body).toMatchObject({ last_seq: 4 });
  });

  test('[PUSH-19] [PUSH-37] who gave numbers again, as its database went back, is told before anything is applied', async () => {
    const client = new SyncClient(await newApi(servers().first));
    const batch = ['A', 'B', 'C'].map((name) => client.next('create_map', { name }));
    expect((await client.push(batch.slice(0, 2), { offered_seq: 0 })).status).toBe(200);
    const again = { ...client.next('create_map', { name: 'D' }), seq: 1 };
    for (const mutations of [[], [again]]) {
      const refused = await client.push(mutations, { offered_seq: 0 });
      expectProblem(refused, 409, 'sequence_reused');
      expect(refused.body).toMatchObject({ last_seq: 2, other_seqs: mutations.map(({ seq }) => seq) });
    }
    // The first push arrives again, as after a lost answer.
    expect((await client.push(batch.slice(0, 2), { offered_seq: 0 })).body).toMatchObject({ last_seq: 2 });
    for (const offered_seq of [2, 3])
      expect((await client.push(batch, { offered_seq })).body).toMatchObject({ last_seq: 3 });
    expect((await client.api.get('/api/v1/maps')).body.data).toHaveLength(3);
  });

  test('[PUSH-4] [PUSH-31] nor does one without a number, which takes the one that is expected', async () => {
    const client = new SyncClient(await newApi(servers().first));
    const named = (seq: unknown, name: string) => ({ ...client.next('create_map', { name }), seq });
    const first = await client.push([null, named(2, 'A'), 7, { name: 'create_map' }, named('5', 'B'), named(6, 'C')]);
    const statuses = ({ body }: Received) => body.results.map(({ seq, status }: Received['body']) => [seq, status]);
    const expected = [1, 2, 3, 4, 5, 6].map((seq) => [seq, seq === 2 || seq === 6 ? 'applied' : 'rejected']);
    expect(statuses(first)).toEqual(expected);
    expect(first.body.last_seq).toBe(6);
    expect((await client.push([[], named(2, 'A')])).body.results).toEqual(first.body.results.slice(0, 2));
    expect(statuses(await client.push([[], {}]))).toEqual([
      [7, 'rejected'],
      [8, 'rejected'],
    ]);
    expect((await client.api.get('/api/v1/maps')).body.data).toHaveLength(2);
  });

  test('[PUSH-12] copies of a batch that arrive at once, on two servers, are applied once', async () => {
    const { first, second } = servers();
    const api = await newApi(first);
    const client = new SyncClient(api);
    const batch = Array.from({ length: 5 }, () => client.next('record_new_map', { name: 'N', steps: steps('A') }));
    const copies = await Promise.all(
      Array.from({ length: 6 }, (_, index) => client.push(batch, { api: index % 2 === 0 ? api : api.at(second) })),
    );
    for (const { body } of copies) expect(body.results).toEqual(copies[0]!.body.results);
    expect((await pullAll(client, { kinds: 'run' })).changes).toHaveLength(5);
  });

  test('[PUSH-52] [PUSH-53] after a restore a change that another client sent first is answered as then, and is not made again', async () => {
    const { first, second } = servers();
    const api = await newApi(first);
    const [one, other, third] = [new SyncClient(api), new SyncClient(api.at(second)), new SyncClient(api)];
    const map_id = randomUUID();
    const made = one.next('create_map', { map_id, name: 'Saw' });
    const renamed = one.next('update_map', { map_id, name: 'Sawmill' });
    const nameNow = async () => (await api.get(`/api/v1/maps/${map_id}`)).body.name;
    const rename = async (name: string) =>
      expect((await api.patch(`/api/v1/maps/${map_id}`, { name })).status).toBe(200);
    await one.push([made]);
    // Before a restore, equal changes of two clients are two changes.
    await one.push([renamed]);
    await rename('Mill');
    await other.push([{ ...renamed, seq: 1 }]);
    expect(await nameNow()).toBe('Sawmill');

    await first.store.renewEpoch();
    const drawn = { ...renamed, args: { map_id, name: 'Drawn' } };
    const nowhere = { ...renamed, args: { map_id: randomUUID(), name: 'Nowhere' } };
    const before = await third.push([
      { ...drawn, seq: 1 },
      { ...nowhere, seq: 2 },
    ]);
    expect(before.body.results).toMatchObject([{ status: 'applied' }, { status: 'rejected' }]);
    await rename('Mill');
    const { cursor } = await pullAll(other);
    const base = `cursor="${cursor}", kinds="map,run"`;
    const again = await other.push(
      [
        { ...drawn, seq: 2 },
        { ...nowhere, seq: 3 },
      ],
      { base },
    );
    expect(again.body.results).toEqual([
      { ...before.body.results[0], seq: 2 },
      { ...before.body.results[1], seq: 3 },
    ]);
    expect(again.body).toMatchObject({ last_seq: 3 });
    expect(again.body.effects).toBeUndefined();
    expect(await nameNow()).toBe('Mill');

    // A change at another time, or again by the client that made it, is another change.
    await other.push([{ ...drawn, seq: 4, recorded_at: '2026-04-01T09:30:00.001Z' }]);
    expect(await nameNow()).toBe('Drawn');
    await rename('Mill');
    await third.push([{ ...drawn, seq: 3 }]);
    expect(await nameNow()).toBe('Drawn');
    // A change that had no effect, since others had made it, is not made again when it would have one.
    const same = { ...drawn, recorded_at: '2026-04-01T09:30:00.002Z' };
    const once = (await other.push([{ ...same, seq: 5 }])).body.results;
    await rename('Mill');
    const twice = (await third.push([{ ...same, seq: 4 }])).body.results;
    expect([once[0].status, twice[0].result, await nameNow()]).toEqual(['applied', once[0].result, 'Mill']);
    // A digest that a client sends says nothing of what its mutation asks for.
    const forged = { name: 'update_map', recorded_at: renamed.recorded_at, digest: 'a'.repeat(32) };
    await other.push([{ ...forged, seq: 6, args: { map_id, name: 'One' } }]);
    await third.push([{ ...forged, seq: 5, args: { map_id, name: 'Two' } }]);
    expect(await nameNow()).toBe('Two');
    // The changes of one push, and those of two pushes that share a transaction, know each other.
    const stage = { ...renamed, name: 'add_stage', args: { map_id, stage: 'Cut' } };
    await Promise.all([one.push([{ ...stage, seq: 3 }]), third.push([{ ...stage, seq: 6 }])]);
    expect((await api.get(`/api/v1/maps/${map_id}`)).body.stages).toHaveLength(1);
  });
}
