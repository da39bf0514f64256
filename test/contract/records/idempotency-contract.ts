import { expect, test } from 'vitest';
import { routesOf } from '../../../server/http/http-app.ts';
import {
  adminToken,
  Api,
  expectProblem,
  expectWrongFields,
  newApi,
  steps,
  type Received,
  type GetServers,
} from '../fixture.ts';
import { pairedDevice } from '../pairing.ts';

const idempotencyHeader = (name: string) => ({ 'Idempotency-Key': name });

function expectReplay(again: Received, firstTime: Received): void {
  expect({ status: again.status, body: again.body }).toEqual({ status: firstTime.status, body: firstTime.body });
  expect(again.headers.get('Idempotency-Replayed')).toBe('true');
  for (const name of ['ETag', 'Location']) expect(again.headers.get(name)).toBe(firstTime.headers.get(name));
}

const importedFile = 'map_name,case_id,stage_name,duration_secs\nI,1,A,1';

export function idempotencyContract(servers: GetServers): void {
  test('[REST-44] a POST or PATCH under a known key gives its first answer again and changes nothing', async () => {
    const api = await newApi(servers().first);
    const created = await api.post('/api/v1/maps', { name: 'One', industry: 'X' }, idempotencyHeader('create'));
    expect(created.headers.get('Idempotency-Replayed')).toBeNull();
    expectReplay(await api.post('/api/v1/maps', { industry: 'X', name: 'One' }, idempotencyHeader('create')), created);
    expect((await api.get('/api/v1/maps')).body.data).toHaveLength(1);

    const path = `/api/v1/maps/${created.body.id}`;
    const added = await api.post(`${path}/stages`, { stage: 'A' }, idempotencyHeader('add'));
    expectReplay(await api.post(`${path}/stages`, { stage: 'A' }, idempotencyHeader('"add"')), added);
    const headers = { ...idempotencyHeader('patch'), 'If-Match': (await api.get(path)).headers.get('ETag')! };
    const patched = await api.patch(path, { name: 'Two' }, headers);
    await api.patch(path, { name: 'Three' });
    expectReplay(await api.patch(path, { name: 'Two' }, headers), patched);
    expect((await api.get(path)).body).toMatchObject({ name: 'Three', stage_count: 1 });
    const { run } = await api.record(created.body.id);
    const deleted = await api.post(`/api/v1/runs/${run.id}/delete`, undefined, idempotencyHeader('delete'));
    expectReplay(await api.post(`/api/v1/runs/${run.id}/delete`, {}, idempotencyHeader('delete')), deleted);
  });

  test('[REST-44] so does every route that makes or changes something', async () => {
    const { first } = servers();
    const api = await newApi(first);
    const operator = new Api({ url: first.url, key: adminToken, accountId: '' });
    const map = `/api/v1/maps/${(await api.createMap()).id}`;
    const { run } = await api.record(map.slice('/api/v1/maps/'.length));
    const [stage] = (await api.get(`${map}/stages`)).body.data;
    const watch = await pairedDevice(first, api);
    const apiKey = (await api.post('/api/v1/keys')).body.key;
    const webhooks = '/api/v1/webhooks';
    const { webhook } = (await api.post(webhooks, { url: 'https://hooks.example.com/' })).body;
    await api.patch(`${webhooks}/${webhook.id}`, { status: 'disabled' });
    const requests: Record<string, [Api, string, object | string]> = {
      'POST /api/v1/maps': [api, '/api/v1/maps', { name: 'X' }],
      'PATCH /api/v1/maps/:id': [api, map, { name: 'X' }],
      'POST /api/v1/maps/:id/stages/reorder': [api, `${map}/stages/reorder`, { stage_ids: [stage.id] }],
      'POST /api/v1/maps/:id/stages/replace': [
        api,
        `${map}/stages/replace`,
        { stages: [{ id: stage.id, stage: 'R' }] },
      ],
      'POST /api/v1/maps/:id/stages': [api, `${map}/stages`, { stage: 'B' }],
      'PATCH /api/v1/maps/:id/stages/:stage_id': [api, `${map}/stages/${stage.id}`, { stage: 'C' }],
      'POST /api/v1/maps/:id/stages/:stage_id/delete': [api, `${map}/stages/${stage.id}/delete`, {}],
      'POST /api/v1/maps/:id/recording': [api, `${map}/recording`, { steps: steps('A') }],
      'POST /api/v1/recording/new': [api, '/api/v1/recording/new', { name: 'Y', steps: steps('A') }],
      'PATCH /api/v1/runs/:run_id': [api, `/api/v1/runs/${run.id}`, { name: 'Z' }],
      'POST /api/v1/runs/:run_id/correct': [api, `/api/v1/runs/${run.id}/correct`, { steps: steps('Z') }],
      'POST /api/v1/runs/:run_id/delete': [api, `/api/v1/runs/${run.id}/delete`, {}],
      'POST /api/v1/import': [api, '/api/v1/import?create_maps=true', importedFile],
      'POST /api/v1/maps/:id/delete': [api, `${map}/delete`, {}],
      'POST /api/v1/maps/:id/restore': [api, `${map}/restore`, {}],
      'POST /api/v1/auth/pairing-code': [api, '/api/v1/auth/pairing-code', {}],
      'PATCH /api/v1/devices/:device_id': [api, `/api/v1/devices/${watch.id}`, { name: 'Z' }],
      'POST /api/v1/devices/:device_id/revoke': [api, `/api/v1/devices/${watch.id}/revoke`, {}],
      'POST /api/v1/keys': [api, '/api/v1/keys', {}],
      'POST /api/v1/keys/:id/revoke': [api, `/api/v1/keys/${apiKey.id}/revoke`, {}],
      'POST /api/v1/webhooks': [api, webhooks, { url: 'https://hooks.example.com/2' }],
      'PATCH /api/v1/webhooks/:webhook_id': [api, `${webhooks}/${webhook.id}`, { description: 'Z' }],
      'POST /api/v1/webhooks/:webhook_id/rotate-secret': [api, `${webhooks}/${webhook.id}/rotate-secret`, {}],
      'POST /api/v1/webhooks/:webhook_id/replay': [api, `${webhooks}/${webhook.id}/replay`, { after: webhook.cursor }],
      'POST /api/v1/webhooks/:webhook_id/delete': [api, `${webhooks}/${webhook.id}/delete`, {}],
      'POST /api/v1/admin/accounts': [operator, '/api/v1/admin/accounts', { name: 'Z', plan: 'team' }],
      'PATCH /api/v1/admin/accounts/:id': [operator, `/api/v1/admin/accounts/${api.accountId}`, { name: 'Z' }],
    };
    for (const [index, [route, [caller, path, body]]] of Object.entries(requests).entries()) {
      const method = route.split(' ')[0]!;
      const headers = idempotencyHeader(`${api.accountId}.${index}`);
      const sent =
        typeof body === 'string'
          ? { raw: body, headers: { ...headers, 'Content-Type': 'text/csv' } }
          : { body, headers };
      const once = await caller.send(method, path, sent);
      expect([route, once.headers.get('Idempotency-Replayed')]).toEqual([route, null]);
      expectReplay(await caller.send(method, path, sent), once);
    }
    const changing = routesOf(first.services, adminToken).filter(({ method }) => !['GET', 'HEAD'].includes(method));
    const byThemselves = [
      'POST /api/v1/auth/pair',
      'POST /api/v1/relay',
      'POST /api/v1/sync/push',
      'POST /api/v1/photos',
      'PATCH /api/v1/photos/:photo_id/upload',
      'DELETE /api/v1/photos/:photo_id/upload',
    ];
    const changesNothing = ['POST /api/v1/runs/compare', 'POST /api/v1/auth/pairing-code/account'];
    const sendOnceMore = [
      'POST /api/v1/webhooks/:webhook_id/test',
      'POST /api/v1/webhooks/:webhook_id/deliveries/:event_id/redeliver',
    ];
    const exempt = [...byThemselves, ...changesNothing, ...sendOnceMore];
    const routes = changing.map(({ method, path }) => `${method} ${path}`);
    expect(routes.toSorted()).toEqual([...Object.keys(requests), ...exempt].toSorted());
  });

  test('[REST-45] another request under a known key is refused', async () => {
    const api = await newApi(servers().first);
    const { id } = (await api.post('/api/v1/maps', { name: 'One' }, idempotencyHeader('k'))).body;
    for (const refused of [
      await api.post('/api/v1/maps', { name: 'Two' }, idempotencyHeader('k')),
      await api.post(`/api/v1/maps/${id}/delete`, {}, idempotencyHeader('k')),
      await api.patch(`/api/v1/maps/${id}`, { name: 'One' }, idempotencyHeader('k')),
    ]) {
      expectProblem(refused, 422, 'idempotency_key_mismatch');
    }
    expect((await api.get('/api/v1/maps')).body.data).toMatchObject([{ name: 'One', deleted: false }]);
  });

  test('[REST-54] a key that is empty, too long or not ASCII is refused by the name of its header', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    const wrongKeys = ['', '""', 'x'.repeat(256), 'schlüssel'];
    for (const wrong of wrongKeys) {
      expectWrongFields(await api.post('/api/v1/maps', { name: 'X' }, idempotencyHeader(wrong)), ['/Idempotency-Key']);
      expectWrongFields(await api.patch(`/api/v1/maps/${id}`, { name: 'X' }, idempotencyHeader(wrong)), [
        '/Idempotency-Key',
      ]);
    }
    const recording = { recording_session_id: 'x', steps: steps('A') };
    for (const wrong of [...wrongKeys, 'x'.repeat(129), 'a b']) {
      const refused = await api.post(`/api/v1/maps/${id}/recording`, recording, idempotencyHeader(wrong));
      expectWrongFields(refused, ['/Idempotency-Key']);
    }
    expect((await api.get('/api/v1/maps')).body.data).toMatchObject([{ name: 'Map', run_count: 0 }]);
    expect((await api.post('/api/v1/maps', { name: 'X' }, idempotencyHeader('x'.repeat(255)))).status).toBe(201);
  });

  test('[MUTATE-24] [MUTATE-32] the answer to a reorder that changes nothing is not kept, and changes nothing when it is repeated', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    const stages = [await api.createStage(id, 'A'.repeat(150)), await api.createStage(id, 'B')].map(
      (stage) => stage.id,
    );
    const path = `/api/v1/maps/${id}/stages/reorder`;
    const reorder = (stage_ids: number[], name: string) => api.post(path, { stage_ids }, idempotencyHeader(name));
    const first = await reorder(stages, 'nothing');
    const moved = await reorder(stages.toReversed(), 'moves');
    const { key_bytes_made } = (await servers().first.store.account(api.accountId))!;
    expect(key_bytes_made).toBeLessThan(moved.text.length + 50);
    expect((await reorder(stages.toReversed(), 'moves')).text).toBe(moved.text);
    const again = await reorder(stages, 'nothing');
    expect([again.status, again.headers.get('Idempotency-Replayed')]).toEqual([first.status, 'true']);
    expect(again.body).toEqual(moved.body);
    expect((await api.get(`/api/v1/maps/${id}/stages`)).body.data).toEqual(moved.body.data);
    expectProblem(await reorder(stages.toReversed(), 'nothing'), 422, 'idempotency_key_mismatch');
  });

  test('[REST-46] a refused request uses up no key', async () => {
    const api = await newApi(servers().first, 'free');
    const maps = [await api.createMap(), await api.createMap()];
    const third = () => api.post('/api/v1/maps', { name: 'Third' }, idempotencyHeader('third'));
    expectProblem(await third(), 403, 'map_cap_reached');
    await api.post(`/api/v1/maps/${maps[0]!.id}/delete`);
    const created = await third();
    expect([created.status, created.headers.get('Idempotency-Replayed')]).toEqual([201, null]);
  });

  test('[REST-47] copies under one key that arrive at once, on two servers, take effect once', async () => {
    const { first, second } = servers();
    const api = await newApi(first);
    const copies = Array.from({ length: 10 }, (_, index) =>
      (index % 2 === 0 ? api : api.at(second)).post('/api/v1/maps', { name: 'Once' }, idempotencyHeader('once')),
    );
    const answers = await Promise.all(copies);
    for (const { status, body } of answers) expect({ status, body }).toEqual({ status: 201, body: answers[0]!.body });
    expect(answers.filter(({ headers }) => headers.get('Idempotency-Replayed') === null)).toHaveLength(1);
    expect((await api.get('/api/v1/maps')).body.data).toHaveLength(1);
  });

  test('[REST-48] keys belong to their account', async () => {
    const { first } = servers();
    for (const api of [await newApi(first), await newApi(first)]) {
      const created = await api.post('/api/v1/maps', { name: 'Mine' }, idempotencyHeader('shared'));
      expect([created.status, created.headers.get('Idempotency-Replayed')]).toEqual([201, null]);
    }
  });
}
