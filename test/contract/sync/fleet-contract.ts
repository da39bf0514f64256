/** The reports of devices with their pushes and pulls, and the lists of devices that show them. */
import { expect, test } from 'vitest';
import { healthThresholdsDefault } from '../../../server/fleet/device-health.ts';
import { addSilenceEvents } from '../../../server/fleet/silence-events.ts';
import { readAll } from '../account-events.ts';
import { expectProblem, expectWrongFields, newApi, type Api, type GetServers, type Received } from '../fixture.ts';
import { minute, pollUntil } from '../last-used.ts';
import { pairedDevice } from '../pairing.ts';
import { protocol } from '../sync-client.ts';

const hour = 60 * minute;
const day = 24 * hour;

export function fleetContract(servers: GetServers): void {
  const pull = (device: Api, report?: string): Promise<Received> =>
    device.get('/api/v1/sync/pull', { ...protocol, ...(report === undefined ? {} : { 'Gemba-Device': report }) });
  const deviceOf = async (api: Api, id: string) =>
    (await api.get('/api/v1/devices')).body.data.find((device: { id: string }) => device.id === id);
  const statusOf = async (api: Api, id: string) => (await deviceOf(api, id)).status;

  test('[FLEET-1] [FLEET-2] [FLEET-9] [FLEET-10] what a device reports with a pull is in the list of devices', async () => {
    const { first, second } = servers();
    const api = await newApi(first);
    const device = await pairedDevice(first, api, { name: 'Watch' });
    const all =
      'pending=3, oldest=7200, attention=1, battery=0.4, storage=0.9, second_copy=kept, platform=web, app="0.1.0"';
    expect((await pull(device, all)).status).toBe(200);
    const status = await pollUntil(
      () => statusOf(api, device.id),
      (found) => found !== null,
    );
    expect(status).toEqual({
      reported_at: expect.stringMatching(/Z$/),
      pending: 3,
      oldest_unsent_at: new Date(Date.parse(status.reported_at) - 2 * hour).toISOString(),
      attention: 1,
      battery: 0.4,
      storage_free: 0.9,
      second_copy: 'kept',
      app_version: '0.1.0',
      platform: 'web',
    });
    expect(await statusOf(api.at(second), device.id)).toEqual(status);
  });

  test('[FLEET-3] [FLEET-7] a malformed or hostile report changes no answer, and a report no version', async () => {
    const { first } = servers();
    const api = await newApi(first);
    const device = await pairedDevice(first, api);
    const before = await pull(device);
    const long = `pending=1, x="${'x'.repeat(20_000)}"`;
    for (const report of ['', 'pending', '"', 'pending=1;;', 'pending=-1', long, 'é']) {
      const answer = await pull(device, report);
      expect([answer.status, answer.body], report).toEqual([200, before.body]);
    }
    expect(await statusOf(api, device.id)).toBeNull();
    expect((await pull(device, 'pending=1, photos=2')).body).toEqual(before.body);
    await pollUntil(
      () => statusOf(api, device.id),
      (found) => found !== null,
    );
    expect((await pull(device)).body).toEqual(before.body);
  });

  test('[FLEET-4] [FLEET-5] [FLEET-6] a device writes once a minute, and the latest of the minute', async () => {
    const { first, advance } = servers();
    const api = await newApi(first);
    const device = await pairedDevice(first, api);
    await pull(device, 'pending=1');
    const written = await pollUntil(
      () => statusOf(api, device.id),
      (found) => found !== null,
    );
    await pull(device, 'pending=2');
    await pull(device, 'pending=1');
    expect(await statusOf(api, device.id)).toEqual(written);
    advance(minute + 1);
    await pull(device, 'pending=1');
    expect(await statusOf(api, device.id)).toEqual(written);
    advance(30 * minute);
    await pull(device, 'pending=1');
    await pollUntil(
      () => statusOf(api, device.id),
      ({ reported_at }) => reported_at > written.reported_at,
    );
  });

  test('[FLEET-11] [FLEET-13] [FLEET-14] [FLEET-16] devices are filtered by health and sorted, the worst first', async () => {
    const { first, advance } = servers();
    const api = await newApi(first);
    const reports = {
      stuck: `pending=1, oldest=${25 * 3_600}`,
      stale: 'pending=2, oldest=60',
      outdated: 'pending=0, app="0.0.1"',
    };
    const stale = await pairedDevice(first, api, { name: 'stale' });
    await pull(stale, reports.stale);
    await pollUntil(
      () => statusOf(api, stale.id),
      (found) => found !== null,
    );
    const silent = await pairedDevice(first, api, { name: 'revoked' });
    await api.post(`/api/v1/devices/${silent.id}/revoke`, {});
    advance(8 * hour + minute);
    for (const name of ['ok', 'stuck', 'outdated'] as const) {
      const device = await pairedDevice(first, api, { name });
      await pull(device, name === 'ok' ? 'pending=0' : reports[name]);
      await pollUntil(
        () => statusOf(api, device.id),
        (found) => found !== null,
      );
    }
    const list = async (query: string) => (await api.get(`/api/v1/devices?${query}`)).body;
    const named = (body: { data: { name: string; health: string | null }[] }) =>
      body.data.map(({ name, health }) => [name, health]);
    const worstFirst = [
      ['stuck', 'stuck'],
      ['stale', 'stale'],
      ['outdated', 'outdated'],
      ['ok', 'ok'],
      ['revoked', null],
    ];
    expect(named(await list('sort=health'))).toEqual(worstFirst);
    expect(named(await list('health=stale'))).toEqual([['stale', 'stale']]);
    expect(named(await list('health=silent'))).toEqual([]);

    const pages = [];
    for (let path = '/api/v1/devices?sort=health&limit=2'; ;) {
      const page = await api.get(path);
      pages.push(...named(page.body));
      const next = /^<(.+)>; rel="next"$/.exec(page.headers.get('Link') ?? '')?.[1];
      if (next === undefined) break;
      path = next;
    }
    expect(pages).toEqual(worstFirst);
    expectWrongFields(await api.get('/api/v1/devices?health=fine&sort=name'), ['/health', '/sort']);
    const { next_cursor } = await list('sort=health&limit=1');
    expectWrongFields(await api.get(`/api/v1/devices?cursor=${next_cursor}`), ['/cursor']);
  });

  test('[FLEET-12] a device that was not seen for 7 days is silent', async () => {
    const { first, advance } = servers();
    const api = await newApi(first);
    const device = await pairedDevice(first, api);
    advance(7 * day + minute);
    expect(await deviceOf(api, device.id)).toMatchObject({ health: 'silent', status: null });
  });

  test('[EVENTLOG-20] each silence of a device is one event, whichever of the servers finds it', async () => {
    const { first, second, advance } = servers();
    const api = await newApi(first);
    const device = await pairedDevice(first, api);
    const revoked = await pairedDevice(first, api);
    await api.post(`/api/v1/devices/${revoked.id}/revoke`, {});
    const silences = async () => {
      const search = ({ store, world }: typeof first) =>
        addSilenceEvents({ store, world, healthThresholds: healthThresholdsDefault }, { onBug: expect.unreachable });
      await Promise.all([search(first), search(second)]);
      await search(second);
      return (await readAll(api, { types: 'device.silent' })).map(({ subject, actor }) => [subject.id, actor.kind]);
    };
    const silence = [device.id, 'operator'];
    advance(7 * day - minute);
    expect(await silences()).toEqual([]);
    advance(2 * minute);
    expect(await silences()).toEqual([silence]);
    advance(8 * day);
    expect(await silences()).toEqual([silence]);
    expect((await device.get('/api/v1/maps')).status).toBe(200);
    expect(await silences()).toEqual([silence]);
    await pollUntil(
      () => deviceOf(api, device.id),
      ({ health }) => health !== 'silent',
    );
    advance(7 * day + minute);
    expect(await silences()).toEqual([silence, silence]);
  });

  test('[FLEET-19] an API key reports nothing, and another account sees nothing', async () => {
    const { first } = servers();
    const api = await newApi(first);
    const device = await pairedDevice(first, api);
    expect((await pull(api, 'pending=7')).status).toBe(200);
    await pull(device, 'pending=5');
    await pollUntil(
      () => statusOf(api, device.id),
      (found) => found !== null,
    );
    expect((await api.get('/api/v1/devices')).body.data).toMatchObject([{ status: { pending: 5 } }]);
    expect((await (await newApi(first)).get('/api/v1/devices')).body.data).toEqual([]);
    expectProblem(await device.get('/api/v1/devices'), 403, 'forbidden');
  });

  test('[FLEET-18] the metrics count devices by health, without a name', async () => {
    const { first, advance } = servers();
    const api = await newApi(first);
    await pairedDevice(first, api, { name: 'A very special watch' });
    advance(minute);
    const metrics = async () => (await fetch(`${first.url}/metrics`)).text();
    const text = await pollUntil(metrics, (found) => /^gemba_devices\{health="ok"\} [1-9]/m.test(found));
    for (const health of ['stuck', 'silent', 'stale', 'outdated']) {
      expect(text).toMatch(new RegExp(`^gemba_devices\\{health="${health}"\\} \\d+$`, 'm'));
    }
    expect(text).not.toContain('special');
  });
}
