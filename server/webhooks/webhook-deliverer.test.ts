/** Deliveries of the events of a real store to real endpoints on loopback. */
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { mapDoc, newAccount, write } from '../../test/contract/store/records.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { WebhookRow } from '../store/webhooks/webhook-row.ts';
import { accountBucketOf } from './buckets.ts';
import { deriveWebhookSecret } from './send/signature.ts';
import { parseAllowedTargets } from './send/target.ts';
import { WebhookDeliverer } from './webhook-deliverer.ts';
import { WebhookSecrets } from './send/webhook-secrets.ts';

interface Got {
  headers: IncomingHttpHeaders;
  body: string;
}

async function setUp() {
  const dataDir = mkdtempSync(join(tmpdir(), 'gemba-webhooks-'));
  const store = await openSqliteStore({ dataDir });
  let nowMs = Date.parse('2026-07-01T08:00:00.000Z');
  const world = { now: () => nowMs, randomBytes: (count: number) => new Uint8Array(randomBytes(count)) };
  const got: Got[] = [];
  let status = 204;
  let posted: () => Promise<unknown> = async () => {};
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', async () => {
      await posted();
      got.push({ headers: request.headers, body });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bugs: unknown[] = [];
  const outcomes: string[] = [];
  const open = (options: { roundMs?: number } = {}) =>
    new WebhookDeliverer({
      ...options,
      store,
      world,
      secrets: new WebhookSecrets({ store, world }),
      allowed: parseAllowedTargets('127.0.0.0/8,http')!,
      onAttempt: (outcome) => void outcomes.push(outcome),
      onBug: (bug) => void bugs.push(bug),
    });
  const deliverer = open();
  onTestFinished(async () => {
    await deliverer.stop();
    server.closeAllConnections();
    server.close();
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
    expect(bugs).toEqual([]);
  });
  const accountId = await newAccount(store);
  await store.addWebhookAccount(accountBucketOf(accountId), accountId);
  const webhook: WebhookRow = {
    id: randomUUID(),
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    types: null,
    description: '',
    created_at: new Date(nowMs).toISOString(),
    secret_generation: 1,
    old_secrets: [],
    revision: 0,
    disabled_reason: null,
    cursor: 0,
    tries: 0,
    next_attempt_at: null,
    failing_since: null,
    failing_from: null,
    last_success_at: null,
  };
  const put = (changed: Partial<WebhookRow> = {}) =>
    write(store, accountId, () => ({ webhooks: { put: [{ ...webhook, ...changed }], removed: [] } }));
  await put();
  const makeMaps = (count: number) =>
    write(store, accountId, (next) => {
      const maps = Array.from({ length: count }, () => mapDoc(next()));
      const actor = { kind: 'operator', id: null } as const;
      const events = maps.map(({ id, version }) => ({ version, type: 'map.created', subjectId: id, actor }) as const);
      const created_at = new Date(nowMs).toISOString();
      return { maps, events: [{ last_version: events.at(-1)!.version, created_at, events }] };
    });
  const round = async (one = deliverer) => {
    await one.renewLeases();
    await one.round();
    await one.settled();
  };
  return {
    store,
    accountId,
    webhook,
    put,
    makeMaps,
    round,
    open,
    got,
    outcomes,
    now: world.now,
    onPost: (listener: () => Promise<unknown>) => void (posted = listener),
    answerWith: (next: number) => void (status = next),
    wait: (ms: number) => void (nowMs += ms),
    stored: async () => (await store.webhooks(accountId))[0]!,
    versions: () => got.map(({ body }) => JSON.parse(body).data.version as number),
  };
}

test('[HOOK-3] [HOOK-4] events are posted in order, once, and signed as Standard Webhooks say', async () => {
  const { store, accountId, webhook, makeMaps, round, got, versions, stored } = await setUp();
  await makeMaps(3);
  await round();
  expect(versions()).toEqual([1, 2, 3]);
  const { headers, body } = got[0]!;
  expect(JSON.parse(body)).toMatchObject({ type: 'map.created', data: { subject: { record: { version: 1 } } } });
  const key = Buffer.from(await store.readOrStoreWebhookKey('unused'), 'base64url');
  const secret = deriveWebhookSecret(key, { accountId, webhookId: webhook.id, generation: 1 });
  const hmac = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'));
  const signed = hmac.update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`).digest('base64');
  expect(headers['webhook-signature']).toBe(`v1,${signed}`);
  expect(await stored()).toMatchObject({ cursor: 3, failing_since: null, last_success_at: '2026-07-01T08:00:00.000Z' });
  await round();
  expect(versions()).toEqual([1, 2, 3]);
});

test('[HOOK-4] an event that fails is sent again with its id before the next one', async () => {
  const { makeMaps, round, got, outcomes, versions, stored, answerWith, wait } = await setUp();
  await makeMaps(2);
  answerWith(500);
  await round();
  expect(versions()).toEqual([1]);
  expect(await stored()).toMatchObject({ cursor: 0, tries: 1, failing_since: '2026-07-01T08:00:00.000Z' });
  await round();
  expect(versions()).toEqual([1]);
  answerWith(200);
  wait(6_000);
  await round();
  expect(versions()).toEqual([1, 1, 2]);
  expect(got[1]!.headers['webhook-id']).toBe(got[0]!.headers['webhook-id']);
  expect(outcomes).toEqual(['failed', 'delivered', 'delivered']);
  expect(await stored()).toMatchObject({ cursor: 2, tries: 0, failing_since: null, next_attempt_at: null });
});

test('[HOOK-6] an endpoint that takes nothing for five days is disabled, and goes on at its first event', async () => {
  const { store, accountId, webhook, makeMaps, round, versions, stored, answerWith, wait, now } = await setUp();
  await makeMaps(2);
  answerWith(500);
  for (let tries = 0; tries < 30 && (await stored()).disabled_reason === null; tries++) {
    await round();
    wait(Math.max(0, Date.parse((await stored()).next_attempt_at ?? '') - now() || 0));
  }
  expect(await stored()).toMatchObject({ disabled_reason: 'failing', cursor: 0 });
  expect(versions().filter((version) => version === 1)).toHaveLength(10);
  const { rows } = await store.deliveries(accountId, { webhookId: webhook.id, limit: 9 });
  expect(rows).toMatchObject([
    { version: 2, outcome: 'failed', status: 500, type: 'map.created' },
    { version: 1, outcome: 'set_aside', tries: 10 },
  ]);
});

test('[HOOK-13] an endpoint that is disabled during a delivery stays disabled', async () => {
  const { makeMaps, put, round, stored, onPost } = await setUp();
  await makeMaps(2);
  onPost(() => put({ disabled_reason: 'admin' }));
  await round();
  expect(await stored()).toMatchObject({ disabled_reason: 'admin', cursor: 0 });
});

test('[HOOK-6] an endpoint whose next events were removed is disabled and told', async () => {
  const { store, accountId, makeMaps, put, round, stored, versions } = await setUp();
  await put({ disabled_reason: 'admin' });
  await makeMaps(2);
  await makeMaps(1);
  const before = '2026-07-02T08:00:00.000Z';
  const none = {
    idempotencyBefore: '',
    unseenClientsBefore: '',
    revokedDevicesBefore: '',
    revokedCredentialsBefore: '',
  };
  await store.sweepAccount(accountId, { ...none, eventsBefore: before, rowsMax: 10 });
  await put();
  await round();
  expect(await stored()).toMatchObject({ disabled_reason: 'events_removed', cursor: 0 });
  const { rows } = await store.events(accountId, { after: 3, rowsMax: 9, bytesMax: 9_000 });
  expect(rows.flatMap(({ events }) => events)).toMatchObject([{ type: 'webhook.disabled' }]);
  expect(versions()).toEqual([]);
});

test('[HOOK-4] failures of an event that the types leave out now do not count for the next one', async () => {
  const { makeMaps, put, round, stored, answerWith } = await setUp();
  await put({ types: ['run.deleted'], tries: 9, next_attempt_at: '2026-07-01T07:00:00.000Z' });
  await makeMaps(1);
  await round();
  expect(await stored()).toMatchObject({ cursor: 1, tries: 0, next_attempt_at: null });
  answerWith(500);
  await put({ cursor: 1, tries: 0 });
  await makeMaps(1);
  await round();
  expect(await stored()).toMatchObject({ cursor: 1, tries: 1 });
});

test('[HOOK-5] what the types leave out is not sent, and is passed over', async () => {
  const { makeMaps, put, round, versions, stored } = await setUp();
  await put({ types: ['run.deleted'] });
  await makeMaps(5);
  await round();
  expect(versions()).toEqual([]);
  expect((await stored()).cursor).toBe(5);
});

test('[HOOK-10] another process takes over once the lease has ended, and not before', async () => {
  const { makeMaps, round, open, versions, wait } = await setUp();
  await round();
  await makeMaps(1);
  const other = open();
  await round(other);
  expect(versions()).toEqual([]);
  wait(30_001);
  await round(other);
  expect(versions()).toEqual([1]);
  await makeMaps(1);
  await round();
  expect(versions()).toEqual([1]);
});

test('[HOOK-10] a process delivers what waits as soon as it has the lease, not a round later', async () => {
  const { makeMaps, versions, open } = await setUp();
  await makeMaps(2);
  const starting = open({ roundMs: 3_600_000 });
  starting.start();
  await expect.poll(versions).toEqual([1, 2]);
  await starting.stop();
});
