import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newAccount, write } from '../../test/contract/store/records.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { accountBucketOf } from './buckets.ts';
import { sweepWebhookAccount } from './sweep-account.ts';

async function setUp() {
  const dataDir = mkdtempSync(join(tmpdir(), 'gemba-webhook-sweep-'));
  const store = await openSqliteStore({ dataDir });
  onTestFinished(() => store.close().finally(() => rmSync(dataDir, { recursive: true })));
  const accountId = await newAccount(store);
  const id = randomUUID();
  const state = { disabled_reason: null, cursor: 0, tries: 0, next_attempt_at: null, failing_since: null };
  const settings = { url: 'https://a.example', types: null, description: '', secret_generation: 1, old_secrets: [] };
  const webhook = { ...state, ...settings, id, created_at: '', revision: 0, failing_from: null, last_success_at: null };
  const putEndpoint = () => write(store, accountId, () => ({ webhooks: { put: [webhook], removed: [] } }));
  const removeEndpoint = () => write(store, accountId, () => ({ webhooks: { put: [], removed: [id] } }));
  return { store, accountId, bucket: accountBucketOf(accountId), putEndpoint, removeEndpoint };
}

test('[HOOK-23] an account is in its bucket as long as it has an endpoint', async () => {
  const { store, accountId, bucket, putEndpoint, removeEndpoint } = await setUp();
  await store.addWebhookAccount(bucket, accountId);
  await putEndpoint();
  expect(await sweepWebhookAccount(store, accountId)).toBe(false);
  expect(await store.webhookAccounts(bucket)).toEqual([accountId]);
  await removeEndpoint();
  expect(await sweepWebhookAccount(store, accountId)).toBe(true);
  expect(await store.webhookBuckets()).toEqual([]);
  expect(await sweepWebhookAccount(store, accountId)).toBe(false);
});

test('[HOOK-23] an endpoint that is made during the sweep, or whose account is in no bucket, gets its events', async () => {
  const { store, accountId, bucket, putEndpoint, removeEndpoint } = await setUp();
  await store.addWebhookAccount(bucket, accountId);
  const removeWebhookAccount = async (...key: [number, string]) => {
    await putEndpoint();
    return store.removeWebhookAccount(...key);
  };
  await sweepWebhookAccount({ ...store, removeWebhookAccount }, accountId);
  expect(await store.webhookAccounts(bucket)).toEqual([accountId]);
  await store.removeWebhookAccount(bucket, accountId);
  await sweepWebhookAccount(store, accountId);
  expect(await store.webhookAccounts(bucket)).toEqual([accountId]);
  await removeEndpoint();
});
