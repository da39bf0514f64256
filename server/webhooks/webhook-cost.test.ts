/** Tests bound what the endpoints of one account cost beside its changes. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { mapDoc, newAccount, write } from '../../test/contract/store/records.ts';
import { Endpoint } from '../../test/endpoint.ts';
import { waitMsMax } from '../../test/timeouts.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { accountBucketOf } from './buckets.ts';
import { parseAllowedTargets } from './send/target.ts';
import { WebhookDeliverer } from './webhook-deliverer.ts';
import { WebhookSecrets } from './send/webhook-secrets.ts';

const endpointCount = 20;
const restMs = 500;
const actor = { kind: 'operator', id: null } as const;
const world = { now: Date.now, randomBytes: (count: number) => new Uint8Array(randomBytes(count)) };

async function setUp() {
  const dataDir = mkdtempSync(join(tmpdir(), 'gemba-webhook-cost-'));
  const opened = await openSqliteStore({ dataDir });
  let eventReads = 0;
  const store: typeof opened = {
    ...opened,
    events(accountId, query) {
      eventReads += 1;
      return opened.events(accountId, query);
    },
  };
  const endpoint = await Endpoint.open();
  const accountId = await newAccount(store);
  await store.addWebhookAccount(accountBucketOf(accountId), accountId);
  const state = { disabled_reason: null, cursor: 0, tries: 0, next_attempt_at: null, failing_since: null };
  const settings = { url: endpoint.url, types: null, description: '', secret_generation: 1, old_secrets: [] };
  const webhook = { ...state, ...settings, created_at: '', revision: 0, failing_from: null, last_success_at: null };
  const put = Array.from({ length: endpointCount }, () => ({ ...webhook, id: randomUUID() }));
  await write(store, accountId, () => ({ webhooks: { put, removed: [] } }));
  let clockMs = 1_000;
  let rounds = 0;
  const deliverer = new WebhookDeliverer({
    store,
    world,
    roundMs: 3_600_000,
    secrets: new WebhookSecrets({ store, world }),
    allowed: parseAllowedTargets('127.0.0.0/8,http')!,
    monotonicMs: () => clockMs,
    onAttempt() {},
    onRound: ({ active }) => void (rounds = active === endpointCount ? rounds + 1 : rounds),
    onBug: (bug) => expect.unreachable(String(bug)),
  });
  deliverer.start();
  onTestFinished(async () => {
    await deliverer.stop();
    await endpoint.close();
    await opened.close();
    rmSync(dataDir, { recursive: true });
  });
  await expect.poll(() => rounds).toBeGreaterThan(0);
  await deliverer.settled();
  const makeMap = () =>
    write(store, accountId, (next) => {
      const map = mapDoc(next());
      const event = { version: map.version, type: 'map.created', subjectId: map.id, actor } as const;
      return {
        maps: [map],
        events: [{ last_version: map.version, created_at: new Date().toISOString(), events: [event] }],
      };
    });
  const wait = (ms: number) => void (clockMs += ms);
  return { endpoint, deliverer, makeMap, wait, eventReads: () => eventReads };
}

test('[HOOK-22] an event is read once for all endpoints, and none looks for another one', async () => {
  const { endpoint, deliverer, makeMap, eventReads } = await setUp();
  const readsBefore = eventReads();
  await makeMap();
  await expect.poll(() => endpoint.posted.length).toBe(endpointCount);
  await deliverer.settled();
  expect(eventReads() - readsBefore).toBe(1);
});

test('[HOOK-21] endpoints of an account that changes all the time rest, and get each event in the end', async () => {
  const { endpoint, deliverer, makeMap, wait } = await setUp();
  await makeMap();
  await makeMap();
  await expect.poll(() => endpoint.posted.length).toBeGreaterThanOrEqual(endpointCount);
  await deliverer.settled();
  await makeMap();
  await deliverer.settled();
  const early = endpoint.posted.length;
  expect(early).toBeLessThanOrEqual(2 * endpointCount);
  wait(restMs);
  await expect.poll(() => endpoint.posted.length, { timeout: waitMsMax }).toBe(3 * endpointCount);
  expect(new Set(endpoint.ids()).size).toBe(3);
});
