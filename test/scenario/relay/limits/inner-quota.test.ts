/** A device whose quota is used up when a carrier delivers for it. */
import { expect, onTestFinished, test } from 'vitest';
import { openServer } from '../../../../server/app.ts';
import { newApi } from '../../../contract/fixture.ts';
import { pairedDevice } from '../../../contract/pairing.ts';
import { deliver, openSealed, relayKeys, sealTo } from '../../../contract/sealed-client.ts';
import { accountMaker, operatorToken, type TestServer } from '../../../device/test-server.ts';
import { databaseFolders } from '../../operations/database-folders.ts';
import { relayOf } from '../carrying-phone.ts';

const rateLimit = { requests: 80, secs: 60 };

/** A server with a small quota, whose clock a test moves. */
async function strictServer() {
  const { live: dataDir } = databaseFolders();
  const clock = { aheadMs: 0 };
  const running = await openServer({
    dataDir,
    port: 0,
    host: '127.0.0.1',
    adminToken: operatorToken,
    rateLimit,
    clock: () => Date.now() + clock.aheadMs,
  });
  onTestFinished(() => running.close());
  const server: TestServer = { ...running, newAccount: accountMaker(running.url), remove: () => running.close() };
  return { server, clock };
}

test('[RELAY-86] [RELAY-116] a message whose device has used up its quota is kept, holds up no other, and is applied later', async () => {
  const { server, clock } = await strictServer();
  const [relay, other] = [await relayOf(server), await relayOf(server)];
  const pull = { method: 'GET', path: '/api/v1/sync/pull', token: relay.watch.key };
  const { sealed } = await sealTo(await relayKeys(server.url), pull);
  const carrier = await pairedDevice(server, await newApi(server), { kind: 'phone' });
  for (let count = 0; count < rateLimit.requests; count++) {
    expect((await deliver(carrier, sealed)).status).toBe(200);
  }
  const spare = await pairedDevice(server, await newApi(server), { kind: 'phone' });
  const refused = await deliver(spare, sealed);
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
  const path = `/api/v1/photos/sha256:${'0'.repeat(64)}`;
  const read = await sealTo(await relayKeys(server.url), { method: 'GET', path, token: relay.watch.key });
  const answer = await openSealed(await deliver(spare, read.sealed), read);
  expect([answer.status, Number(new Map(answer.fields).get('retry-after')) > 0]).toEqual([429, true]);

  const [first, second] = [await relay.sealPush(), await other.sealPush()];
  const { device: watch } = await relay.meet();
  for (const { id, sealed: bytes } of [first, second]) await watch.give(id, bytes);
  relay.net.online = true;
  await relay.phone.sync();
  expect(await watch.next()).toEqual({ type: 'failed', id: first.id, code: 'later' });
  expect((await watch.answer()).id).toBe(second.id);
  expect(await relay.carrying()).toMatchObject({ messages: 2 });
  clock.aheadMs += 61_000;
  await relay.phone.sync();
  expect((await watch.answer()).id).toBe(first.id);
  expect(await relay.runCount()).toBe(1);
});
