/** Receipts of sealed pushes, which a person types into the device. */
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { receiptOf } from '../../../shared/relay/receipt.ts';
import { newApi, steps, type GetServers } from '../fixture.ts';
import { pairedDevice } from '../pairing.ts';
import { carry, deliver, relayKeys, sealTo, type InnerSend, type SealedSend } from '../sealed-client.ts';
import { SyncClient } from '../sync-client.ts';

export function receiptContract(servers: GetServers): void {
  test('[CODES-3] a sealed push whose numbers are all answered has a receipt, and nothing else has one', async () => {
    const owner = await newApi(servers().first);
    const watch = await pairedDevice(servers().first, owner);
    const carrier = await pairedDevice(servers().second, await newApi(servers().second), { kind: 'phone' });
    const map = await owner.createMap();
    const client = new SyncClient(watch);
    const recording = () =>
      client.next('upload_recording', { map_id: map.id, recording_session_id: randomUUID(), steps: steps('Cut') });
    const pushBody = (mutations: unknown[]) => ({ client_id: client.id, acked_seq: 0, mutations });
    const keys = await relayKeys(carrier.url);
    const seal = (inner: InnerSend) => sealTo(keys, { token: watch.key, ...inner });
    const receiptIn = async (sent: SealedSend, to = servers().first) =>
      (await deliver(carrier.at(to), sent.sealed)).headers.get('Gemba-Receipt');
    const applied = await seal({ body: pushBody([recording(), recording()]) });
    const receipt = await receiptOf({ secret: applied.receiptSecret, lastSeq: 2, isRefused: false });
    expect(await receiptIn(applied)).toBe(receipt);
    expect(await receiptIn(applied, servers().second)).toBe(receipt);

    const mutations = [recording(), client.next('create_map', { name: 'Not allowed' })];
    const body = JSON.stringify(pushBody(mutations));
    const zipped = { 'content-encoding': 'gzip', 'accept-encoding': 'gzip' };
    const partly = await seal({ headers: zipped, content: Uint8Array.from(gzipSync(body)) });
    const attention = await receiptOf({ secret: partly.receiptSecret, lastSeq: 4, isRefused: true });
    expect(await receiptIn(partly)).toBe(attention);
    // A later push of the same client does not change what an earlier one is told.
    expect(await receiptIn(applied)).toBe(receipt);

    const gap = recording();
    const others: InnerSend[] = [
      { method: 'GET', path: '/api/v1/sync/pull' },
      { body: pushBody([]) },
      { body: pushBody([{ ...gap, seq: 9 }]) },
      { body: pushBody([{ ...gap, seq: 'five' }]) },
      { body: { client_id: 7 } },
      { token: 'gd_unknown', body: pushBody([gap]) },
      { method: 'GET', path: '/api/v1/maps' },
    ];
    for (const inner of others) expect([inner, await receiptIn(await seal(inner))]).toEqual([inner, null]);
    const open = await carry(carrier, { token: watch.key, body: pushBody([gap]) });
    expect(open).toMatchObject({ status: 200 });
    expect(open.headers.get('gemba-answered-push')).toBeNull();
    // Number 5 is that of the mutation whose `seq` is no integer: it was refused there, and `gap` gets that answer again.
    expect(open.body.results).toMatchObject([{ seq: 5, status: 'rejected' }]);
    expect((await owner.get(`/api/v1/maps/${map.id}/runs`)).body.data).toHaveLength(3);
  });

  test('[CODES-19] a sealed push has no receipt once a refusal that it was answered with is acknowledged', async () => {
    const owner = await newApi(servers().first);
    const watch = await pairedDevice(servers().first, owner);
    const map = await owner.createMap();
    const client = new SyncClient(watch);
    const recording = () =>
      client.next('upload_recording', { map_id: map.id, recording_session_id: randomUUID(), steps: steps('Cut') });
    const body = { client_id: client.id, acked_seq: 0, offered_seq: 2, mutations: [recording()] };
    const sealed = await sealTo(await relayKeys(watch.url), { token: watch.key, body });
    await owner.post(`/api/v1/maps/${map.id}/delete`);
    const push = (fields: object) => watch.post('/api/v1/sync/push', { ...body, ...fields }, { 'Gemba-Protocol': '1' });
    expect((await push({})).body.results).toMatchObject([{ status: 'rejected' }]);
    const attention = await receiptOf({ secret: sealed.receiptSecret, lastSeq: 1, isRefused: true });
    expect((await deliver(watch, sealed.sealed)).headers.get('Gemba-Receipt')).toBe(attention);
    expect((await push({ acked_seq: 1, mutations: [recording()] })).status).toBe(200);
    const late = await deliver(watch, sealed.sealed);
    expect([late.status, late.headers.get('Gemba-Receipt')]).toEqual([200, null]);
  });
}
