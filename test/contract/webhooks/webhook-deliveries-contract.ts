import { expect, test } from 'vitest';
import { sweepAllAccounts } from '../../../server/store/retention.ts';
import { expectProblem, expectWrongFields, newApi, type GetServers } from '../fixture.ts';
import { readAll } from '../account-events.ts';
import { createWebhook, openEndpoint, webhooksPath as path } from './webhook-client.ts';

const dayMs = 86_400_000;

export function webhookDeliveriesContract(servers: GetServers): void {
  test('[HOOK-5] [HOOK-13] an endpoint gets the types that it wants, and goes on where it stopped, or from now', async () => {
    const api = await newApi(servers().first);
    const endpoint = await openEndpoint();
    const { id } = await createWebhook(api, { url: endpoint.url, types: ['map.created', 'webhook.disabled'] });
    const map = await api.createMap();
    await api.record(map.id);
    await api.createMap();
    await expect.poll(() => endpoint.told().map((text) => text.split(' ')[0])).toEqual(['map.created', 'map.created']);
    const disabled = await api.patch(`${path}/${id}`, { status: 'disabled' });
    expect(disabled.body).toMatchObject({ status: 'disabled', next_attempt_at: null });
    await api.createMap();
    const told = (await readAll(api, { types: 'webhook.disabled' })).map(({ subject, actor }) => [subject, actor.kind]);
    expect(told).toEqual([[{ kind: 'webhook', id }, 'key']]);
    expect(disabled.body.disabled_reason).toBe('admin');
    expect((await api.patch(`${path}/${id}`, { status: 'active' })).body.status).toBe('active');
    await expect
      .poll(() =>
        endpoint
          .told()
          .slice(2)
          .map((text) => text.split(' ')[0]),
      )
      .toEqual(['webhook.disabled', 'map.created']);
    await api.patch(`${path}/${id}`, { status: 'disabled' });
    await api.createMap();
    expectWrongFields(await api.patch(`${path}/${id}`, { skip: true }), ['/skip']);
    const skipped = await api.patch(`${path}/${id}`, { status: 'active', skip: true, types: null });
    expect(skipped.body).toMatchObject({ status: 'active', types: null, lag_secs: 0 });
    const last = await api.createMap();
    await expect.poll(() => endpoint.told().slice(4)).toEqual([`map.created ${last.version}`]);
  });

  test('[HOOK-4] [HOOK-16] [HOOK-17] a failed event comes again with its id before the next, and deliveries tell it', async () => {
    const { first, second } = servers();
    const api = await newApi(first);
    const endpoint = await openEndpoint();
    endpoint.answerWith(503, 'ß'.repeat(600), { 'Retry-After': '1' });
    const { id } = await createWebhook(api, { url: endpoint.url });
    await api.createMap();
    await api.createMap();
    await expect.poll(async () => (await api.get(`${path}/${id}`)).body.status).toBe('failing');
    const { body: failing } = await api.get(`${path}/${id}`);
    const waitMs = Date.parse(failing.next_attempt_at) - Date.parse(failing.failing_since);
    expect(waitMs).toBeGreaterThanOrEqual(5_000);
    expect(waitMs).toBeLessThan(5_600);
    const { body: page } = await api.get(`${path}/${id}/deliveries`);
    expect(page.data).toMatchObject([
      { event: { id: endpoint.ids()[0], type: 'map.created' }, outcome: 'failed', attempts: 1, status: 503 },
    ]);
    expect(page.data[0].body).toBe('ß'.repeat(500));
    servers().advance(6_000);
    await expect.poll(() => endpoint.posted.length).toBe(2);
    expect(endpoint.ids()[1]).toBe(endpoint.ids()[0]);
    await expect.poll(async () => (await api.get(`${path}/${id}`)).body.lag_secs).toBeGreaterThanOrEqual(6);
    endpoint.answerWith(200);
    servers().advance(400_000);
    await expect.poll(() => endpoint.posted.length).toBe(4);
    await expect.poll(async () => (await api.get(`${path}/${id}`)).body.status).toBe('active');
    expect((await api.get(`${path}/${id}`)).body).toMatchObject({ lag_secs: 0, failing_since: null });
    const { body: last } = await api.at(second).get(`${path}/${id}/deliveries?limit=1`);
    expect(last.data).toMatchObject([{ event: { id: endpoint.ids()[3] }, outcome: 'delivered', attempts: 1 }]);
    const { body: rest } = await api.get(`${path}/${id}/deliveries?limit=1&cursor=${last.next_cursor}`);
    expect(rest).toMatchObject({ data: [{ event: { id: endpoint.ids()[0] }, attempts: 3 }], next_cursor: null });
    expect((await api.get(`${path}/${id}/deliveries?outcome=set_aside`)).body.data).toEqual([]);
    expectWrongFields(await api.get(`${path}/${id}/deliveries?outcome=lost`), ['/outcome']);
    expectWrongFields(await api.get(`${path}/${id}/deliveries?cursor=x`), ['/cursor']);
  });

  test('[HOOK-4] [HOOK-16] an event that failed ten times is set aside, the next one goes, and it can be sent again', async () => {
    const { first } = servers();
    const api = await newApi(first);
    const endpoint = await openEndpoint();
    const { id } = await createWebhook(api, { url: endpoint.url });
    const { body: other } = await api.get(`${path}/${id}`);
    const map = await api.createMap();
    await expect.poll(() => endpoint.posted.length).toBe(1);
    let refused = '';
    endpoint.answer = (response, { body }) => {
      const { type, data } = JSON.parse(body);
      if (type === 'recording.received') refused = data.id;
      response.writeHead(type === 'recording.received' ? 500 : 200).end('no');
    };
    await api.record(map.id);
    await api.createMap();
    const isSetAside = async () => (await api.get(`${path}/${id}/deliveries?outcome=set_aside`)).body.data.length > 0;
    for (let tries = 1; tries <= 9; tries++) {
      const nextAttempt = async () =>
        Date.parse((await api.get(`${path}/${id}`)).body.next_attempt_at) - first.world.now();
      await expect.poll(nextAttempt).toBeGreaterThan(0);
      servers().advance((await nextAttempt()) + 1);
      await expect.poll(() => endpoint.ids().filter((one) => one === refused).length).toBe(tries + 1);
    }
    await expect.poll(isSetAside).toBe(true);
    await expect.poll(() => endpoint.told().at(-1)?.split(' ')[0]).toBe('map.created');
    expect(endpoint.ids().filter((one) => one === refused)).toHaveLength(10);
    endpoint.answerWith(202, 'thanks');
    const again = await api.post(`${path}/${id}/deliveries/${refused}/redeliver`, {});
    expect(again.body).toMatchObject({ delivered: true, status: 202, body: 'thanks' });
    expect(endpoint.ids().at(-1)).toBe(refused);
    expect(await isSetAside()).toBe(false);
    expectProblem(await api.post(`${path}/${id}/deliveries/evt_none/redeliver`, {}), 404, 'event_not_found');
    expect((await api.get(`${path}/${id}`)).body.cursor).not.toBe(other.cursor);
  });

  test('[HOOK-6] an endpoint that is gone is disabled, another one hears it, and its event comes once it is enabled', async () => {
    const api = await newApi(servers().first);
    const [gone, other] = [await openEndpoint(), await openEndpoint()];
    gone.answerWith(410);
    const { id } = await createWebhook(api, { url: gone.url });
    await createWebhook(api, { url: other.url, types: ['webhook.disabled'] });
    await api.createMap();
    await expect.poll(() => other.posted.length).toBe(1);
    expect(JSON.parse(other.posted[0]!.body)).toMatchObject({
      type: 'webhook.disabled',
      data: { subject: { kind: 'webhook', id }, actor: { kind: 'operator' } },
    });
    expect((await api.get(`${path}/${id}`)).body).toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
    gone.answerWith(200);
    await api.patch(`${path}/${id}`, { status: 'active' });
    await expect
      .poll(() => gone.told().map((text) => text.split(' ')[0]))
      .toEqual(['map.created', 'map.created', 'webhook.disabled']);
    expect(gone.ids()[1]).toBe(gone.ids()[0]);
  });

  test('[HOOK-15] a replay sends again what came after a cursor or an event, with the same ids', async () => {
    const api = await newApi(servers().first);
    const endpoint = await openEndpoint();
    const { id } = await createWebhook(api, { url: endpoint.url });
    const { body: start } = await api.get(`${path}/${id}`);
    for (let maps = 0; maps < 3; maps++) await api.createMap();
    await expect.poll(() => endpoint.posted.length).toBe(3);
    const [first, second, third] = endpoint.ids();
    expect((await api.post(`${path}/${id}/replay`, { after: start.cursor })).status).toBe(200);
    await expect.poll(endpoint.ids.bind(endpoint)).toEqual([first, second, third, first, second, third]);
    await api.post(`${path}/${id}/replay`, { after: second });
    await expect.poll(() => endpoint.ids().slice(6)).toEqual([third]);
    await api.patch(`${path}/${id}`, { status: 'disabled' });
    const { body: end } = await api.get('/api/v1/events?after=latest');
    expectWrongFields(await api.post(`${path}/${id}/replay`, { after: end.next_cursor }), ['/after']);
    expectWrongFields(await api.post(`${path}/${id}/replay`, { after: 'evt_AAAA' }), ['/after']);
    const stranger = await newApi(servers().first);
    const { body: others } = await stranger.get('/api/v1/events?after=latest');
    expect(others.data).toEqual([]);
    await stranger.createMap();
    const [strange] = await readAll(stranger);
    expectWrongFields(await api.post(`${path}/${id}/replay`, { after: strange!.id }), ['/after']);
  });

  test('[HOOK-7] a body has the record of its subject, unless that is too large', async () => {
    const api = await newApi(servers().first);
    const endpoint = await openEndpoint();
    await createWebhook(api, { url: endpoint.url });
    const map = await api.createMap({ name: 'Small' });
    await expect.poll(() => endpoint.posted.length).toBe(1);
    const stages = Array.from({ length: 300 }, (_, i) => ({ stage: `${'n'.repeat(90)} ${i}` }));
    const replaced = await api.send('POST', `/api/v1/maps/${map.id}/stages/replace`, { body: { stages } });
    expect(replaced.status).toBe(200);
    await expect.poll(() => endpoint.posted.length).toBe(2);
    const [small, large] = endpoint.posted.map(({ body }) => JSON.parse(body));
    expect(small.data.subject.record).toMatchObject({ name: 'Small' });
    expect(large.data.subject).toEqual({ kind: 'map', id: map.id });
  });

  test('[HOOK-13] [HOOK-16] an endpoint whose next event was removed says so, and old deliveries are swept', async () => {
    const { first } = servers();
    const api = await newApi(first);
    const endpoint = await openEndpoint();
    const { id } = await createWebhook(api, { url: endpoint.url });
    await api.createMap();
    await expect.poll(async () => (await api.get(`${path}/${id}/deliveries`)).body.data.length).toBe(1);
    await api.patch(`${path}/${id}`, { status: 'disabled' });
    const { body: before } = await api.get(`${path}/${id}`);
    await api.createMap();
    await sweepAllAccounts({ store: first.store, now: () => first.world.now() + 31 * dayMs });
    expect((await api.get(`${path}/${id}/deliveries`)).body.data).toEqual([]);
    const refused = await api.patch(`${path}/${id}`, { status: 'active' });
    expectProblem(refused, 410, 'cursor_expired');
    expectProblem(await api.post(`${path}/${id}/replay`, { after: before.cursor }), 410, 'cursor_expired');
    expect((await api.get(`${path}/${id}`)).body.status).toBe('disabled');
    expect((await api.patch(`${path}/${id}`, { status: 'active', skip: true })).body.status).toBe('active');
    await api.createMap();
    await expect.poll(() => endpoint.posted.length).toBe(2);
  });

  test('[HOOK-13] a new URL is tried at once, and what the former one answers says nothing about it', async () => {
    const api = await newApi(servers().first);
    const [former, fresh] = [await openEndpoint(), await openEndpoint()];
    let answerFormer = () => {};
    former.answer = (response) => (answerFormer = () => void response.writeHead(410).end());
    const { id } = await createWebhook(api, { url: former.url });
    await api.createMap();
    await expect.poll(() => former.posted.length).toBe(1);
    expect((await api.patch(`${path}/${id}`, { url: fresh.url })).body).toMatchObject({ url: fresh.url });
    answerFormer();
    await expect.poll(() => fresh.ids()).toEqual(former.ids());
    await expect.poll(async () => (await api.get(`${path}/${id}`)).body.last_success_at).not.toBeNull();
    expect((await api.get(`${path}/${id}`)).body.status).toBe('active');
    fresh.answerWith(503, '', { 'Retry-After': '3600' });
    await api.createMap();
    await expect.poll(async () => (await api.get(`${path}/${id}`)).body.status).toBe('failing');
    former.answerWith(200);
    await api.patch(`${path}/${id}`, { url: `${former.url}?\u0000x` });
    await expect.poll(() => former.posted.length).toBe(2);
    expect((await api.get(`${path}/${id}`)).body).toMatchObject({ url: `${former.url}?%00x`, disabled_reason: null });
  });

  test('[HOOK-16] a redelivery that is taken moves on an endpoint that waited for it, and one that fails undoes no success', async () => {
    const { first } = servers();
    const api = await newApi(first);
    const endpoint = await openEndpoint();
    endpoint.answerWith(500);
    const { id } = await createWebhook(api, { url: endpoint.url });
    await api.createMap();
    await api.createMap();
    await expect.poll(async () => (await api.get(`${path}/${id}/deliveries`)).body.data.length).toBe(1);
    const [event] = endpoint.ids();
    endpoint.answerWith(200, 'ok');
    expect((await api.post(`${path}/${id}/deliveries/${event}/redeliver`, {})).body.delivered).toBe(true);
    await expect.poll(() => endpoint.ids().length).toBe(3);
    expect(new Set(endpoint.ids()).size).toBe(2);
    await expect.poll(async () => (await api.get(`${path}/${id}`)).body.status).toBe('active');
    endpoint.answerWith(500, 'late');
    expect((await api.post(`${path}/${id}/deliveries/${event}/redeliver`, {})).body.delivered).toBe(false);
    const { body } = await api.get(`${path}/${id}/deliveries`);
    expect(body.data).toMatchObject([{ outcome: 'delivered' }, { outcome: 'delivered', attempts: 2, body: 'ok' }]);
  });
}
