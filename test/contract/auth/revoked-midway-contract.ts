/** A token is revoked while a request with it is under way. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { newApi, steps, type Api, type GetServers } from '../fixture.ts';
import { pairedDevice } from '../pairing.ts';
import { protocol } from '../sync-client.ts';

interface EndedRequest {
  status: number | undefined;
  code: unknown;
}

/** Sends the head and one byte of the body; `finish` sends the rest. */
function beginRequest(api: Api, method: string, path: string, body: object): { finish(): Promise<EndedRequest> } {
  const text = JSON.stringify(body);
  const headers = {
    Authorization: `Bearer ${api.key}`,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    ...protocol,
  };
  const sent = request(api.url + path, { method, headers });
  const ended = once(sent, 'response').then(async ([response]: IncomingMessage[]) => {
    const answer = (await json(response!)) as { code?: string };
    return { status: response!.statusCode, code: answer.code };
  });
  sent.write(text.slice(0, 1));
  return {
    finish() {
      sent.end(text.slice(1));
      return ended;
    },
  };
}

export function revokedMidwayContract(servers: GetServers): void {
  test('[AUTH-40] a token that is revoked while the body is under way writes nothing', async () => {
    const { first, second } = servers();
    const api = await newApi(first);
    const map = await api.createMap();
    const watch = await pairedDevice(first, api, { name: 'Bystander' });
    const { key } = (await api.post('/api/v1/keys')).body;
    const clientId = randomUUID();
    const create = { seq: 1, name: 'create_map', args: { name: 'Pushed' }, recorded_at: '2026-04-01T09:30:00.000Z' };
    const requests: [string, string, object][] = [
      ['POST', '/api/v1/keys', { name: 'A backdoor' }],
      ['POST', '/api/v1/maps', { name: 'Posted' }],
      ['PATCH', `/api/v1/maps/${map.id}`, { name: 'Patched' }],
      ['POST', '/api/v1/recording/new', { name: 'Recorded', steps: steps('Cut') }],
      ['POST', '/api/v1/sync/push', { client_id: clientId, acked_seq: 0, mutations: [create] }],
      ['POST', '/api/v1/auth/pairing-code', { device_kind: 'phone' }],
      ['PATCH', `/api/v1/devices/${watch.id}`, { name: 'Renamed' }],
      ['POST', `/api/v1/devices/${watch.id}/revoke`, {}],
      ['POST', `/api/v1/keys/${key.id}/revoke`, {}],
    ];
    const stopped: EndedRequest[] = [];
    for (const [method, path, body] of requests) {
      const phone = await pairedDevice(first, api, { kind: 'phone', name: path });
      const begun = beginRequest(phone, method, path, body);
      // The server notes the use of the token after it accepted the request's head.
      const seen = async () => (await api.get('/api/v1/devices?limit=1')).body.data[0].last_seen_at as string | null;
      await expect.poll(seen).not.toBeNull();
      expect((await api.at(second).post(`/api/v1/devices/${phone.id}/revoke`)).status).toBe(200);
      stopped.push(await begun.finish());
    }
    expect(stopped).toEqual(requests.map(() => ({ status: 401, code: 'unauthorized' })));

    expect((await api.get('/api/v1/maps')).body.data).toMatchObject([{ id: map.id, name: 'Map', version: 1 }]);
    expect((await api.get('/api/v1/keys')).body.data).toMatchObject([{ id: key.id, revoked_at: null }, {}]);
    const devices = (await api.get('/api/v1/devices?limit=200')).body.data;
    expect(devices.at(-1)).toMatchObject({ name: 'Bystander', revoked_at: null });
    // The refused push did not claim its client id.
    expect(await first.store.clientOwner(clientId)).toBeUndefined();
  });
}
