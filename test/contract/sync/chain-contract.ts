import { createHash, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { digestText, nextChainInput } from '../../../shared/protocol/chain.ts';
import { expectProblem, newApi, steps, type GetServers } from '../fixture.ts';
import { protocol, pullAll, SyncClient, type SentMutation } from '../sync-client.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);
const chainOf = (mutations: SentMutation[]): string =>
  mutations.reduce((chain, mutation) => hash(nextChainInput(chain, hash(digestText(mutation)))), '');

const newRecordingArgs = (name: string) => ({ name, steps: steps('A'), recording_session_id: randomUUID() });

/**
 * The hash chain lets the server refuse different work under a number that was used before: copies of a device share
 * their numbers.
 */
export function chainContract(servers: GetServers): void {
  test('[PUSH-20] [PUSH-38] [PUSH-39] [PUSH-40] a number that stands for other work is refused, whatever that is, and nothing is applied', async () => {
    const client = new SyncClient(await newApi(servers().first));
    const shared = [client.next('record_new_map', newRecordingArgs('A')), client.next('create_map', { name: 'B' })];
    await client.push(shared);
    const others = [
      { ...shared[1]!, name: 'record_new_map', args: newRecordingArgs('C') },
      { ...shared[1]!, name: 'delete_run', args: { run_id: 7 } },
      { ...shared[1]!, args: { name: 'C' } },
      { ...shared[1]!, args: {} },
    ];
    for (const other of others) {
      const refused = await client.push([other, { ...other, seq: 3 }], { chain: chainOf(shared.slice(0, 1)) });
      expectProblem(refused, 409, 'sequence_reused');
      expect(refused.body).toMatchObject({ last_seq: 2, agreed_seq: 1, other_seqs: [2] });
    }
    // A device without a chain is refused in the same way, except for a number that it withdrew.
    expectProblem(await client.push([others[0]]), 409, 'sequence_reused');
    expect((await client.push([others[3]])).body.results).toHaveLength(1);
    expect((await client.push([...shared, others[0]])).status).toBe(409);
    expect((await pullAll(client)).changes.filter(({ kind }) => kind === 'map')).toHaveLength(2);
  });

  test('[PUSH-44] [PUSH-45] a noop is rejected, changes nothing and consumes its number, whatever was sent under it before', async () => {
    const api = await newApi(servers().first);
    const client = new SyncClient(api);
    const made = client.next('create_map', { name: 'A' });
    const emptied = { ...made, args: {} };
    const noop = { ...emptied, name: 'noop', digest: hash(digestText(emptied)) };
    expect((await client.push([noop], { chain: '' })).body.results).toMatchObject([
      { seq: 1, status: 'rejected', error: { code: 'withdrawn', status: 410 } },
    ]);
    // An earlier version of the app sent a noop as the original name with empty args. Its repeat is no other work.
    const again = await client.push([emptied], { chain: '' });
    expect(again.body).toMatchObject({ last_seq: 1, results: [{ seq: 1, error: { code: 'withdrawn' } }] });
    expectProblem(await client.push([{ ...noop, digest: undefined }], { chain: '' }), 409, 'sequence_reused');
    const second = client.next('create_map', { name: 'B' });
    await client.push([{ ...second, args: {} }], { chain: chainOf([emptied]) });
    const legacy = { ...second, args: {} };
    const renamed = { ...legacy, name: 'noop', digest: hash(digestText(legacy)) };
    const answered = await client.push([renamed], { chain: chainOf([emptied]) });
    expect(answered.body.results).toMatchObject([{ seq: 2, error: { code: 'validation_failed' } }]);
    const third = { ...client.next('noop', { name: 'C' }) };
    expect((await client.push([third])).body.results).toMatchObject([{ error: { code: 'validation_failed' } }]);
    expect((await pullAll(client)).changes).toEqual([]);
  });

  test('[PUSH-51] a device that withdrew a number learns by the digest alone whether the server has its work or that of a copy', async () => {
    const client = new SyncClient(await newApi(servers().first));
    const [made, other] = [client.next('create_map', { name: 'A' }), { name: 'create_map', args: { name: 'B' } }];
    await client.push([made]);
    const noop = { ...made, name: 'noop', args: {} };
    expect((await client.push([noop])).body.results).toMatchObject([{ status: 'applied' }]);
    const asked = { ...noop, args: { is_repeated: true }, digest: hash(digestText(made)) };
    expect((await client.push([asked])).body.results).toMatchObject([{ seq: 1, status: 'applied' }]);
    const askedByCopy = { ...asked, digest: hash(digestText({ ...made, ...other })) };
    expectProblem(await client.push([askedByCopy]), 409, 'sequence_reused');
    expect((await pullAll(client)).changes.filter(({ kind }) => kind === 'map')).toHaveLength(1);
  });

  test('[PUSH-4] a number that is beyond all numbers rejects its mutation alone', async () => {
    const client = new SyncClient(await newApi(servers().first));
    const recorded_at = '2026-04-01T09:30:00.000Z';
    const mutations = `[{"seq":1,"name":"delete_run","args":{"run_id":1e400},"recorded_at":"${recorded_at}"},
      {"seq":2,"name":"create_map","args":{"name":"A"},"recorded_at":"${recorded_at}"}]`;
    const raw = `{"client_id":"${client.id}","acked_seq":0,"mutations":${mutations}}`;
    const headers = { ...protocol, 'Content-Type': 'application/json' };
    for (let copy = 0; copy < 2; copy += 1) {
      const { body } = await client.api.send('POST', '/api/v1/sync/push', { raw, headers });
      expect(body.results).toMatchObject([{ status: 'rejected' }, { status: 'applied' }]);
    }
  });

  test('[PUSH-21] a push behind other work that was acknowledged since is refused by its chain', async () => {
    const client = new SyncClient(await newApi(servers().first));
    const shared = [client.next('create_map', { name: 'A' })];
    await client.push(shared);
    const [mine, next] = [client.next('create_map', { name: 'Mine' }), client.next('create_map', { name: 'Next' })];
    const theirs = { ...mine, args: { name: 'Theirs' } };
    await client.push([theirs], { acked: 1, chain: chainOf(shared) });
    await client.push([], { acked: 2 });
    const refused = await client.push([mine, next], { chain: chainOf(shared) });
    expectProblem(refused, 409, 'sequence_reused');
    expect(refused.body).toMatchObject({ last_seq: 2, agreed_seq: 1 });
    const behind = await client.push([next], { chain: chainOf([...shared, mine]) });
    expectProblem(behind, 409, 'sequence_reused');
    expect(behind.body).toMatchObject({ agreed_seq: 0 });
    const applied = await client.push([next], { chain: chainOf([...shared, theirs]) });
    expect(applied.body).toMatchObject({ last_seq: 3 });
  });

  test('[PUSH-22] the pull tells the chain of the work that it has, and how far its answers were acknowledged', async () => {
    const client = new SyncClient(await newApi(servers().first));
    const batch = ['A', 'B', 'C'].map((name) => client.next('create_map', { name }));
    const broken = { seq: 4, name: 'no_such', args: [1], recorded_at: 'never' };
    await client.push(batch.slice(0, 2), { chain: '' });
    await client.push([...batch, broken], { acked: 1, chain: '' });
    const { changes } = await pullAll(client, { client_id: client.id });
    const { doc } = changes.find(({ kind }) => kind === 'client');
    expect(doc).toMatchObject({ last_seq: 4, acked_seq: 1, chain: chainOf([...batch, broken]) });
  });

  test('[PUSH-23] a mutation that was brought to a newer shape keeps the digest that it was made with', async () => {
    const client = new SyncClient(await newApi(servers().first));
    const made = client.next('create_map', { name: 'A' });
    await client.push([made], { chain: '' });
    const reshaped = { ...made, args: { name: 'A', industry: '' }, digest: hash(digestText(made)) };
    expect((await client.push([reshaped], { chain: '' })).body).toMatchObject({ last_seq: 1 });
    const { digest: _digest, ...without } = reshaped;
    expectProblem(await client.push([without], { chain: '' }), 409, 'sequence_reused');
    const malformed = { ...client.next('create_map', { name: 'B' }), digest: 'x' };
    expect((await client.push([malformed])).body.results[0]).toMatchObject({ status: 'rejected' });
  });
}
