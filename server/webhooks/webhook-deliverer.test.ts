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
import { bucketOf } from './buckets.ts';
import { webhookSecret } from './send/signature.ts';
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
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      got.push({ headers: request.headers, body });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bugs: unknown[] = [];
  const outcomes: string[] = [];
  const open = () =>
    new WebhookDeliverer({
      store,
      world,
      secrets: new WebhookSecrets({ store, world }),
      allowed: parseAllowedTargets('127.0.0.0/8,http')!,
      onTried: (outcome) => void outcomes.push(outcome),
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
  await store.addWebhookAccount(bucketOf(accountId), accountId);
  const webhook: WebhookRow = {
    id: randomUUID(),
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    types: null,
    description: '',
    created_at: new Date(nowMs).toISOString(),
    secret_generation: 1,
    old_secrets: [],
    is_disabled: false,
    cursor: 0,
    tries: 0,
    next_attempt_at: null,
    failing_since: null,
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
  const key = Buffer.from(await store.webhookKey('unused'), 'base64url');
  const secret = webhookSecret(key, { accountId, webhookId: webhook.id, generation: 1 });
  const hmac = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'));
  const signed = hmac.update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`).digest('base64');
  expect(headers['webhook-signature']).toBe(`v1,${signed}`);
  expect(await stored()).toMatchObject({ cursor: 3, failing_since: null, last_success_at: '2026-07-01T08:00:00.000Z' });
  await round();
  expect(versions()).toEqual([1, 2, 3]);
});

test('[HOOK-4] an event that fails is sent again with its id before the next one', async () => {
  const { makeMaps, round, got, versions, stored, answerWith, wait } = await setUp();
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
  expect(await stored()).toMatchObject({ cursor: 2, tries: 0, failing_since: null, next_attempt_at: null });
});

test('[HOOK-6] an endpoint that takes nothing for five days is disabled, and keeps its event', async () => {
  const { store, accountId, webhook, makeMaps, round, versions, stored, answerWith, wait } = await setUp();
  await makeMaps(2);
  answerWith(500);
  for (let tries = 1; tries <= 9; tries++) {
    await round();
    wait(27 * 3_600_000);
  }
  expect((await stored()).is_disabled).toBe(true);
  expect(new Set(versions())).toEqual(new Set([1]));
  const { rows } = await store.deliveries(accountId, { webhookId: webhook.id, limit: 9 });
  expect(rows).toMatchObject([{ version: 1, outcome: 'failed', status: 500, type: 'map.created' }]);
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
