/** Sweeps delete old idempotency keys, answers to old clients and the statuses of revoked devices. */
import { expect, test } from 'vitest';
import { sweepAllAccounts } from '../../../server/store/retention.ts';
import { newApi, type GetServers } from '../fixture.ts';
import { pullAll, SyncClient } from '../sync-client.ts';
import type { RemovedRowCounts } from '../../../server/store/queries.ts';

const dayMs = 86_400_000;

export function retentionContract(servers: GetServers): void {
  test('[MUTATE-20] [MUTATE-33] [MUTATE-36] sweeps of two processes remove keys after a month and answers to a client after a year, and leave its numbers and rejections', async () => {
    const { first, second } = servers();
    const api = await newApi(first);
    const client = new SyncClient(api);
    const make = (name: string) => api.post('/api/v1/maps', { name }, { 'Idempotency-Key': name });
    const made = [await make('A'), await make('B'), await make('C')];
    const batch = [{ name: 'D' }, {}, { name: 'E' }].map((args) => client.next('create_map', args));
    for (const mutation of batch) await client.push([mutation]);
    const before = await pullAll(client);
    // Other tests may have advanced the clock of the servers.
    const madeAtMs = Date.parse(made[0]!.body.created_at);
    const sweepAfter = async (days: number) => {
      const sum = { keys: 0, answers: 0 };
      const onRemoved = ({ idempotencyKeys, pushAnswers }: RemovedRowCounts) => {
        sum.keys += idempotencyKeys;
        sum.answers += pushAnswers;
      };
      const now = () => madeAtMs + days * dayMs;
      await Promise.all([first, second].map(({ store }) => sweepAllAccounts({ store, now, rowsMax: 2, onRemoved })));
      return sum;
    };
    await sweepAfter(29);
    expect((await make('A')).body).toEqual(made[0]!.body);
    expect((await client.push(batch)).body.results).toHaveLength(3);

    expect((await sweepAfter(31)).keys).toBeGreaterThanOrEqual(3);
    expect((await make('A')).body.id).not.toBe(made[0]!.body.id);
    expect((await client.push(batch)).body.results).toHaveLength(3);

    expect((await sweepAfter(366)).answers).toBeGreaterThanOrEqual(3);
    const again = (await client.push(batch)).body;
    const statuses = again.results.map(({ status }: { status: string }) => status);
    expect([statuses, again.last_seq]).toEqual([['applied', 'rejected', 'applied'], 3]);
    const after = await pullAll(client);
    const ofClient = ({ kind }: { kind: string }) => kind === 'client';
    expect(after.changes.find(ofClient)).toEqual(before.changes.find(ofClient));
    expect((await api.get('/api/v1/maps')).body.data).toHaveLength(6);
    expect((await client.apply('create_map', { name: 'F' })).status).toBe('applied');
  });
}
