/** Sweeps delete old idempotency keys, answers to old clients and the statuses of revoked devices. */
import { expect, test } from 'vitest';
import { sweepAllAccounts } from '../../../server/store/retention.ts';
import { expectProblem, newApi, type GetServers } from '../fixture.ts';
import { minute, pollUntil } from '../last-used.ts';
import { pairedDevice } from '../pairing.ts';
import { pullAll, SyncClient } from '../sync-client.ts';
import type { RemovedRowCounts } from '../../../server/store/queries.ts';

const dayMs = 86_400_000;

export function retentionContract(servers: GetServers): void {
  test('[STORE-59] a device that was removed a year after it was revoked is paired again and goes on with its numbers', async () => {
    const { first } = servers();
    const api = await newApi(first);
    const phone = await pairedDevice(first, api, { kind: 'phone' });
    const client = new SyncClient(phone);
    const made = client.next('create_map', { name: 'Before' });
    expect((await client.push([made])).body.last_seq).toBe(1);
    expect((await api.post(`/api/v1/devices/${phone.id}/revoke`)).status).toBe(200);
    const removed = { tokens: 0, devices: 0 };
    const onRemoved = ({ tokens, devices }: RemovedRowCounts) => {
      removed.tokens += tokens;
      removed.devices += devices;
    };
    const now = () => first.world.now() + 366 * dayMs;
    await sweepAllAccounts({ store: first.store, now, onRemoved });
    expect(removed.tokens).toBeGreaterThanOrEqual(1);
    expect(removed.devices).toBeGreaterThanOrEqual(1);
    expect((await api.get('/api/v1/devices')).body.data).toEqual([]);
    expectProblem(await client.push([made]), 401, 'unauthorized');

    const again = await pairedDevice(first, api, { kind: 'phone', id: phone.id });
    const next = client.next('create_map', { name: 'After' });
    const { status, body } = await client.push([made, next], { api: again });
    expect([status, body.last_seq]).toEqual([200, 2]);
    const { data } = (await api.get('/api/v1/maps')).body;
    expect(data.map(({ name }: { name: string }) => name)).toEqual(['After', 'Before']);
  });

  test('[OPS-23] the metrics say how many bytes the tables take', async () => {
    const { first, advance } = servers();
    await newApi(first);
    advance(minute);
    const metrics = async () => (await fetch(`${first.url}/metrics`)).text();
    const table = (await first.store.tableBytes())[0]!.table;
    const sized = new RegExp(`^gemba_table_bytes\\{table="${table}"\\} [1-9]\\d{3,}$`, 'm');
    expect(await pollUntil(metrics, (found) => sized.test(found))).toMatch(sized);
  });

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
