/** A push of more recordings than 65,536 characters of JSON hold. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { briefMediaType } from '../../../../shared/brief/brief-push.ts';
import { makeRecordings } from '../../../bench/peers/work.ts';
import { atRest, device } from '../../../device/devices.ts';
import { observingProxy } from '../../../device/observing-proxy.ts';
import { testServer, type TestServer } from '../../../device/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

test('[BRIEF-5] many recordings at once go in the brief form, since the list of them is short', async () => {
  let isDown = false;
  const refuse = ({ url }: { url?: string | undefined }) => (isDown && url?.endsWith('/sync/push') ? 503 : undefined);
  const proxy = await observingProxy(server.url, { refuse });
  const phone = await device({ url: proxy.url, token: await server.newAccount() });
  const { map_id } = await phone.createMap({ name: 'Saw' });
  await phone.sync();
  proxy.requests.length = 0;
  isDown = true;
  for (const recording of makeRecordings(100)) await phone.importRecording({ mapId: map_id, recording });
  isDown = false;
  await phone.sync();
  const taken = proxy.requests.filter(({ path, status }) => path === '/api/v1/sync/push' && status === 200);
  // 65,536 characters of JSON hold 35 recordings, so one of three pushes has more.
  expect(taken.length).toBeLessThanOrEqual(3);
  expect(new Set(taken.map(({ contentType }) => contentType))).toEqual(new Set([briefMediaType]));
  expect(await atRest(phone)).toMatchObject({ pending: 0, attention: 0 });
});
