/** Real devices report how they do, and the list of devices shows it. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { firstValueFrom } from 'rxjs';
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory';
import type { ListedDevice } from '../../../shared/schema/fleet.ts';
import { openGemba, type GembaOptions } from '../../../client/client.ts';
import { restClient, testServer, type TestServer } from '../../device/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

async function pairedDevice(key: string, options: Partial<GembaOptions> = {}) {
  const rest = restClient(server.url, key);
  const { body } = await rest.send<{ code: string }>('POST', '/auth/pairing-code', { device_kind: 'phone' });
  const sent: (string | null)[] = [];
  const gemba = await openGemba({
    name: `report-${Math.random().toString(36).slice(2)}`,
    url: server.url,
    storage: getRxStorageMemory(),
    fetch: (input, init) => {
      const path = new URL(String(input)).pathname;
      if (/\/sync\/(?:push|pull)$/.test(path)) sent.push(new Headers(init?.headers).get('Gemba-Device'));
      return fetch(input, init);
    },
    ...options,
  });
  onTestFinished(() => gemba.close());
  await gemba.pair(body.code, 'Phone');
  return { gemba, sent, devices: () => rest.list<ListedDevice>('/devices') };
}

test('[FLEET-1] [FLEET-2] [FLEET-9] [FLEET-24] a device reports with its push what it has, and with its pull that nothing is left', async () => {
  const { gemba, sent, devices } = await pairedDevice(await server.newAccount());
  await gemba.createMap({ name: 'Press line' });
  await gemba.sync();
  await expect.poll(async () => (await firstValueFrom(gemba.status$)).pending).toBe(0);
  expect(sent.find((report) => report?.startsWith('pending=1'))).toMatch(
    /^pending=1, oldest=\d+, attention=0, second_copy=none, platform=node, app="[\d.]+"$/,
  );
  expect(sent.at(-1)).toMatch(/^pending=0, attention=0, /);
  await expect.poll(async () => (await devices())[0]?.status).toMatchObject({ platform: 'node', attention: 0 });
  expect((await devices())[0]?.health).toBe('ok');
  for (const report of sent) expect(report).not.toMatch(/Press|Phone|127\.0\.0\.1/);
});

test('[FLEET-22] [FLEET-23] with `report: false` a device sends no report, and says so', async () => {
  const { gemba, sent, devices } = await pairedDevice(await server.newAccount(), { report: false });
  await gemba.createMap({ name: 'Press line' });
  await gemba.sync();
  expect(sent.length).toBeGreaterThan(0);
  expect(sent.filter((report) => report !== null)).toEqual([]);
  expect(await firstValueFrom(gemba.report$)).toBeNull();
  expect(await devices()).toMatchObject([{ status: null, health: 'ok' }]);
});

test('[FLEET-23] `report$` is what the device would send now', async () => {
  const { gemba } = await pairedDevice(await server.newAccount());
  await gemba.sync();
  expect(await firstValueFrom(gemba.report$)).toEqual({
    pending: 0,
    attention: 0,
    second_copy: 'none',
    platform: 'node',
    app_version: expect.stringMatching(/^\d/),
  });
});
