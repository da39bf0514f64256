/** Sealed requests, which a device of any account delivers. */
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { toBase64url } from '../../../shared/relay/base64url.ts';
import { decodeKeyList, encodeKeyList } from '../../../shared/relay/key-list.ts';
import { Api, expectProblem, newApi, steps, type GetServers, type Received } from '../fixture.ts';
import { pairedDevice, newCode, pair } from '../pairing.ts';
import { carry, deliver, openInner, relayKeys, sealTo } from '../sealed-client.ts';
import { SyncClient } from '../sync-client.ts';

const dayMs = 24 * 3_600_000;

export function relayContract(servers: GetServers): void {
  /** A watch of one account, and a phone of another that carries for it. */
  async function watchAndCarrier() {
    const owner = await newApi(servers().first);
    const watch = await pairedDevice(servers().first, owner);
    const carrier = await pairedDevice(servers().second, await newApi(servers().second), { kind: 'phone' });
    const map = await owner.createMap();
    return { owner, watch, carrier, map };
  }

  const recordingOf = (client: SyncClient, map_id: string, started_at = '2026-04-01T09:00:00.000Z') =>
    client.next('upload_recording', { map_id, recording_session_id: randomUUID(), started_at, steps: steps('Cut') });

  const pushBody = (client: SyncClient, mutations: unknown[], more: object = {}) => ({
    client_id: client.id,
    acked_seq: 0,
    mutations,
    ...more,
  });

  test('[RELAY-6] [RELAY-7] all servers list the same keys at both paths, and pairing brings them', async () => {
    const { first, second } = servers();
    const lists = await Promise.all(
      [first, second].flatMap(({ url }) =>
        ['/api/v1/relay/keys', '/.well-known/ohttp-gateway'].map(async (path) => {
          const response = await fetch(url + path);
          expect(response.headers.get('Content-Type')).toBe('application/ohttp-keys');
          return toBase64url(new Uint8Array(await response.arrayBuffer()));
        }),
      ),
    );
    expect(new Set(lists).size).toBe(1);
    const keys = await relayKeys(first.url);
    expect(keys.map(({ kem, aeads }) => [kem, aeads])).toEqual([
      ['x25519', [1, 2]],
      ['p256', [1, 2]],
    ]);
    const owner = await newApi(first);
    const paired = await pair(second, { code: await newCode(owner) });
    expect(paired.body.relay_keys).toBe(lists[0]);
    expect(toBase64url(encodeKeyList(keys))).toBe(lists[0]);
  });

  test.each(['x25519', 'p256'] as const)(
    '[RELAY-8] [RELAY-9] a push and a pull sealed to the key of %s do what they do without a carrier, of another account, too',
    async (kem) => {
      const { owner, watch, carrier, map } = await watchAndCarrier();
      const client = new SyncClient(watch);
      const body = pushBody(client, [recordingOf(client, map.id)]);
      const pushed = await carry(carrier, { token: watch.key, body }, kem);
      expect(pushed).toMatchObject({ status: 200, body: { last_seq: 1, results: [{ status: 'applied', seq: 1 }] } });
      const direct = await client.push(body.mutations);
      expect(direct.body.results).toEqual(pushed.body.results);
      const path = `/api/v1/sync/pull?client_id=${client.id}`;
      const pulled = await carry(carrier, { method: 'GET', path, token: watch.key }, kem);
      expect(pulled).toMatchObject({ status: 200 });
      expect(pulled.body).toEqual((await client.pull({ client_id: client.id })).body);
      expect((await owner.get(`/api/v1/maps/${map.id}/runs`)).body.data).toHaveLength(1);
    },
  );

  test('[RELAY-9] what the inner request may not do is refused inside, and the outer answer is 200', async () => {
    const { watch, carrier } = await watchAndCarrier();
    const client = new SyncClient(watch);
    const create = pushBody(client, [client.next('create_map', { name: 'A' })]);
    const refusals = [
      [{ token: 'gd_unknown', body: create }, 401, 'unauthorized'],
      [{ body: create }, 401, 'unauthorized'],
      [{ token: watch.key, body: { client_id: 7 } }, 422, 'validation_failed'],
      [{ token: watch.key, body: create, headers: { 'gemba-protocol': '0' } }, 426, 'protocol_too_old'],
      [{ token: watch.key, body: create, headers: { 'content-type': 'text/plain' } }, 415, 'unsupported_media_type'],
    ] as const;
    for (const [inner, status, code] of refusals) {
      expect(await carry(carrier, inner)).toMatchObject({ status, body: { code } });
    }
    // The scope is that of the inner token: a watch may record, and not make maps.
    const pushed = await carry(carrier, { token: watch.key, body: create });
    expect(pushed.body.results).toMatchObject([{ status: 'rejected', error: { code: 'forbidden' } }]);
  });

  test('[RELAY-10] the outer request counts for the carrier, the inner one for its own token, and both apart from other requests', async () => {
    const { watch, carrier } = await watchAndCarrier();
    const left = (headers: Headers) => Number(/r=(\d+)/.exec(headers.get('RateLimit') ?? '')?.[1]);
    const pull = { method: 'GET', path: '/api/v1/sync/pull', token: watch.key };
    const leftAfter = async () => {
      const sent = await sealTo(await relayKeys(carrier.url), pull);
      const response = await deliver(carrier, sent.sealed);
      return { carrier: left(response.headers), watch: left((await openInner(response, sent)).headers) };
    };
    const before = await leftAfter();
    for (const api of [watch, carrier]) await api.get('/api/v1/maps');
    const after = await leftAfter();
    expect(after).toEqual({ carrier: before.carrier - 1, watch: before.watch - 1 });
  });

  test('[RELAY-8] [RELAY-13] headers of 60 KiB are taken inside as outside, and larger ones are refused', async () => {
    const { watch, carrier } = await watchAndCarrier();
    const pull = { method: 'GET', path: '/api/v1/sync/pull', token: watch.key };
    const accepting = (kib: number) => carry(carrier, { ...pull, headers: { accept: 'a'.repeat(kib * 1024) } });
    expect(await accepting(60)).toMatchObject({ status: 200 });
    expect(await accepting(70)).toMatchObject({ status: 431, body: { code: 'headers_too_large' } });
    const path = `${pull.path}?cursor=${'a'.repeat(60 * 1024)}`;
    expect(await carry(carrier, { ...pull, path })).toMatchObject({ status: 422 });
  });

  test('[RELAY-8] a sealed request that comes weeks later tells nothing of how its device is now', async () => {
    const { owner, watch, carrier } = await watchAndCarrier();
    const pull = { method: 'GET', path: '/api/v1/sync/pull', token: watch.key };
    const report = (pending: number) => ({ 'gemba-protocol': '1', 'gemba-device': `pending=${pending}` });
    const pendingOf = async () =>
      (await owner.get('/api/v1/devices')).body.data.find(({ id }: { id: string }) => id === watch.id)?.status?.pending;
    await watch.get(pull.path, report(3));
    await expect.poll(pendingOf).toBe(3);
    servers().advance(2 * 60_000);
    expect(await carry(carrier, { ...pull, headers: report(7) })).toMatchObject({ status: 200 });
    await watch.get(pull.path, report(4));
    const seen: unknown[] = [];
    await expect.poll(async () => seen[seen.push(await pendingOf()) - 1]).toBe(4);
    expect(seen).not.toContain(7);
  });

  test('[RELAY-11] a sealed request that asks for anything but the sync is a 404 inside', async () => {
    const { owner, carrier } = await watchAndCarrier();
    const others = [
      ['GET', '/api/v1/maps'],
      ['POST', '/api/v1/maps'],
      ['POST', '/api/v1/relay'],
      ['GET', '/api/v1/sync/push'],
      ['GET', '/api/v1/sync/events'],
      ['GET', '/api/v1/sync/pull/../../maps'],
      ['DELETE', '/api/v1/sync/pull'],
    ] as const;
    for (const [method, path] of others) {
      const body = method === 'POST' ? { name: 'A' } : undefined;
      expect(await carry(carrier, { method, path, token: owner.key, body })).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      });
    }
  });

  test('[RELAY-12] an inner body may be compressed, and inflates to at most 8 MiB', async () => {
    const { watch, carrier, map } = await watchAndCarrier();
    const client = new SyncClient(watch);
    const headers = { 'content-encoding': 'gzip' };
    const zip = (text: string) => Uint8Array.from(gzipSync(text));
    const body = JSON.stringify(pushBody(client, [recordingOf(client, map.id)]));
    const pushed = await carry(carrier, { token: watch.key, headers, content: zip(body) });
    expect(pushed).toMatchObject({ status: 200, body: { last_seq: 1 } });
    const bomb = zip(' '.repeat(8 * 1024 * 1024) + body);
    const refused = await carry(carrier, { token: watch.key, headers, content: bomb });
    expect(refused).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
  });

  async function received(response: Response): Promise<Received> {
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: JSON.parse(text), text };
  }

  test('[RELAY-13] what cannot be opened is refused outside, with a code that tells why', async () => {
    const { owner, watch, carrier } = await watchAndCarrier();
    const keys = await relayKeys(carrier.url);
    const { sealed } = await sealTo(keys, { token: watch.key, body: {} });
    const refusal = async (sender: Api, bytes: Uint8Array<ArrayBuffer>, headers = {}) =>
      received(await deliver(sender, bytes, headers));
    expectProblem(await refusal(carrier, sealed.with(0, 250)), 422, 'relay_key_unknown');
    const last = sealed.length - 1;
    expectProblem(await refusal(carrier, sealed.with(last, sealed[last]! ^ 1)), 400, 'relay_malformed');
    expectProblem(await refusal(carrier, sealed.slice(0, 20)), 400, 'relay_malformed');
    expectProblem(await refusal(carrier, new Uint8Array()), 400, 'relay_malformed');
    expectProblem(await refusal(carrier, new Uint8Array(1_088 * 1024 + 1)), 413, 'payload_too_large');
    expectProblem(await refusal(carrier, sealed, { 'Content-Type': 'text/plain' }), 415, 'unsupported_media_type');
    expectProblem(await refusal(carrier, sealed, { 'Content-Encoding': 'gzip' }), 415, 'unsupported_media_type');
    const reader = await owner.post('/api/v1/keys', { scopes: ['read'] });
    const { url, accountId } = carrier;
    expectProblem(await refusal(new Api({ url, accountId, key: reader.body.api_key }), sealed), 403, 'forbidden');
    expectProblem(await refusal(new Api({ url, accountId, key: 'gd_no' }), sealed), 401, 'unauthorized');
  });

  test('[RELAY-14] a sealed request that arrives several times, at several servers, is applied once and answered each time', async () => {
    const { owner, watch, carrier, map } = await watchAndCarrier();
    const client = new SyncClient(watch);
    const pushed = { token: watch.key, body: pushBody(client, [recordingOf(client, map.id)]) };
    const sent = await sealTo(await relayKeys(carrier.url), pushed);
    const carriers = [servers().first, servers().second, servers().first, servers().second].map((to) => carrier.at(to));
    const responses = await Promise.all(carriers.map((one) => deliver(one, sent.sealed)));
    const answers = await Promise.all(responses.map((response) => openInner(response, sent)));
    for (const { status, body } of answers) {
      expect({ status, results: body.results }).toEqual({ status: 200, results: answers[0]!.body.results });
    }
    expect((await owner.get(`/api/v1/maps/${map.id}/runs`)).body.data).toHaveLength(1);
  });

  test('[RELAY-15] a sealed push keeps the start of its recording, however long it was under way', async () => {
    const { owner, watch, carrier, map } = await watchAndCarrier();
    const client = new SyncClient(watch);
    const keys = await relayKeys(carrier.url);
    const sealedAt = (await owner.get(`/api/v1/maps/${map.id}`)).body.created_at;
    const seal = (more: object) =>
      sealTo(keys, { token: watch.key, body: pushBody(client, [recordingOf(client, map.id, sealedAt)], more) });
    const stored = await seal({});
    const withTime = await seal({ sent_at: sealedAt });
    servers().advance(2 * dayMs);
    const startOf = async (sent: typeof stored) => {
      const { body } = await openInner(await deliver(carrier, sent.sealed), sent);
      return (await owner.get(`/api/v1/runs/${body.results[0].result.run.id}`)).body.started_at;
    };
    expect(await startOf(stored)).toBe(sealedAt);
    expect(await startOf(withTime)).toBe(sealedAt);
  });

  test('[RELAY-16] [RELAY-17] a new key is known to every server, and the old one opens for 400 days and brings the new one', async () => {
    const { watch, carrier } = await watchAndCarrier();
    const { first, second, advance } = servers();
    const pull = { method: 'GET', path: '/api/v1/sync/pull', token: watch.key };
    const old = await relayKeys(second.url);
    const sent = await sealTo(old, pull);
    expect((await openInner(await deliver(carrier, sent.sealed), sent)).headers.get('gemba-relay-keys')).toBeNull();
    const { added } = await first.services.serverKeys.rotate();
    const renewed = await relayKeys(second.url);
    expect(renewed.map(({ id }) => id)).toEqual(added);
    const keysIn = async () => {
      const { status, headers } = await openInner(await deliver(carrier, sent.sealed), sent);
      expect(status).toBe(200);
      return decodeKeyList(Uint8Array.from(Buffer.from(headers.get('gemba-relay-keys') ?? '', 'base64url')));
    };
    expect(await keysIn()).toEqual(renewed);
    expect((await carry(carrier, pull)).headers.get('gemba-relay-keys')).toBeNull();
    advance(399 * dayMs);
    expect(await keysIn()).toEqual(renewed);
    advance(2 * dayMs);
    expectProblem(await received(await deliver(carrier, sent.sealed)), 422, 'relay_key_unknown');
    expect((await first.services.serverKeys.rotate()).removed.toSorted()).toEqual(old.map(({ id }) => id).toSorted());
    expect((await carry(carrier, pull)).status).toBe(200);
  });
}
