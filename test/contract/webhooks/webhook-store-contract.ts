import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { DeliveryRow, DeliveryState, WebhookRow } from '../../../server/store/webhooks/webhook-row.ts';
import { newAccount, nothing, write } from '../store/records.ts';
import type { StoreUnderTest } from '../store/store-under-test.ts';

const at = '2026-07-01T08:00:00.000Z';
const later = '2026-07-01T08:00:31.000Z';
const farAhead = '2026-07-02T08:00:00.000Z';

const webhookRow = (fields: Partial<WebhookRow> = {}): WebhookRow => ({
  id: randomUUID(),
  revision: 0,
  url: 'https://hooks.example.com/',
  types: ['map.created'],
  description: 'Ä',
  created_at: at,
  secret_generation: 2,
  old_secrets: [{ generation: 1, until: later }],
  disabled_reason: null,
  cursor: 7,
  tries: 0,
  next_attempt_at: null,
  failing_since: null,
  failing_from: null,
  last_success_at: null,
  ...fields,
});

const stateOf = (fields: Partial<DeliveryState>): DeliveryState => ({
  disabled_reason: null,
  cursor: 7,
  tries: 1,
  next_attempt_at: later,
  failing_since: at,
  failing_from: 7,
  last_success_at: null,
  ...fields,
});

const deliveryRow = (webhook: WebhookRow, fields: Partial<DeliveryRow> = {}): DeliveryRow => ({
  webhook_id: webhook.id,
  version: 8,
  type: 'map.created',
  outcome: 'failed',
  tries: 1,
  at,
  status: 500,
  duration_ms: 12,
  body: 'no',
  error: null,
  ...fields,
});

export function webhookStoreContract({ store, open }: StoreUnderTest): void {
  const put = (accountId: string, ...webhooks: WebhookRow[]) =>
    write(store(), accountId, () => ({ webhooks: { put: webhooks, removed: [] } }));

  test('[HOOK-2] endpoints are stored with every field, changed, and removed with their deliveries', async () => {
    const [accountId, otherId] = [await newAccount(store()), await newAccount(store())];
    const [one, two] = [webhookRow(), webhookRow({ types: null, disabled_reason: 'admin' })];
    await put(accountId, one, two);
    await put(otherId, webhookRow());
    const newestFirst = (rows: WebhookRow[]) => rows.toSorted((a, b) => (a.id < b.id ? 1 : -1));
    expect(await store().webhooks(accountId)).toEqual(newestFirst([one, two]));
    expect(await store().webhook(accountId, two.id)).toEqual(two);
    expect(await store().webhook(otherId, two.id)).toBeUndefined();
    const read = { ...nothing, webhooks: true };
    const loaded = await store().transact(accountId, read, ({ webhooks }) => ({ result: webhooks }));
    expect(loaded).toEqual(newestFirst([one, two]));
    await store().saveDelivery(accountId, {
      webhookId: one.id,
      revision: 0,
      state: stateOf({}),
      delivery: deliveryRow(one),
    });
    await write(store(), accountId, () => ({
      webhooks: { put: [{ ...two, url: 'https://b.example' }], removed: [one.id] },
    }));
    expect(await store().webhooks(accountId)).toEqual([{ ...two, url: 'https://b.example', revision: 1 }]);
    expect(await store().delivery(accountId, { webhookId: one.id, version: 8 })).toBeUndefined();
    expect(await store().webhooks(otherId)).toHaveLength(1);
  });

  test('[HOOK-4] a try is saved together with the new state, unless the endpoint was moved meanwhile', async () => {
    const accountId = await newAccount(store());
    const webhook = webhookRow();
    await put(accountId, webhook);
    const state = stateOf({});
    const delivery = deliveryRow(webhook);
    const save = { webhookId: webhook.id, revision: 0, state, delivery };
    expect(await store().saveDelivery(accountId, save)).toBe(true);
    expect(await store().webhooks(accountId)).toEqual([{ ...webhook, ...state, revision: 1 }]);
    expect(await store().saveDelivery(accountId, { ...save, delivery: { ...delivery, tries: 9 } })).toBe(false);
    expect(await store().delivery(accountId, { webhookId: webhook.id, version: 8 })).toEqual(delivery);
    const passed = stateOf({ cursor: 9, tries: 0, next_attempt_at: null, failing_since: null, last_success_at: at });
    expect(await store().saveDelivery(accountId, { webhookId: webhook.id, revision: 1, state: passed })).toBe(true);
    expect(await store().webhooks(accountId)).toEqual([{ ...webhook, ...passed, revision: 2 }]);
  });

  test('[HOOK-16] deliveries are listed newest first, in pages, and by their outcome', async () => {
    const accountId = await newAccount(store());
    const [webhook, other] = [webhookRow({ cursor: 0 }), webhookRow()];
    const outcomes = ['delivered', 'set_aside', 'delivered', 'failed'] as const;
    const deliveries = outcomes.map((outcome, index) =>
      deliveryRow(webhook, { version: index + 1, outcome, status: null }),
    );
    await write(store(), accountId, () => ({
      webhooks: { put: [webhook, other], removed: [], deliveries: [...deliveries, deliveryRow(other)] },
    }));
    const list = (query: object) => store().deliveries(accountId, { webhookId: webhook.id, limit: 2, ...query });
    expect(await list({})).toEqual({ rows: [deliveries[3], deliveries[2]], next: 3 });
    expect(await list({ before: 3 })).toEqual({ rows: [deliveries[1], deliveries[0]], next: null });
    expect(await list({ outcome: 'delivered', limit: 1 })).toEqual({ rows: [deliveries[2]], next: 3 });
    expect(await list({ outcome: 'set_aside' })).toEqual({ rows: [deliveries[1]], next: null });
    expect(await store().deliveries(accountId, { webhookId: 'none', limit: 2 })).toEqual({ rows: [], next: null });
  });

  test('[HOOK-10] a bucket is leased to one process at a time, which may keep it and give it up', async () => {
    const other = await open();
    const accountId = await newAccount(store());
    const bucket = Math.floor(Math.random() * 1_000_000_000) + 64;
    expect(await store().webhookAccounts(bucket)).toEqual([]);
    await store().addWebhookAccount(bucket, accountId);
    await other.addWebhookAccount(bucket, accountId);
    expect(await store().webhookBuckets()).toContain(bucket);
    expect(await store().removeWebhookAccount(bucket, accountId)).toBe(true);
    expect(await other.removeWebhookAccount(bucket, accountId)).toBe(false);
    expect(await other.webhookBuckets()).not.toContain(bucket);
    await other.addWebhookAccount(bucket, accountId);
    expect(await other.webhookAccounts(bucket)).toEqual([accountId]);
    expect(await other.webhookBuckets()).toContain(bucket);
    const lease = (holder: string, now: string, until: string) =>
      (holder === 'b' ? other : store()).leaseBucket({ bucket, holder, now, until, endsAtMax: farAhead });
    const end = '2026-07-01T08:00:30.000Z';
    expect(await lease('a', at, end)).toBe(true);
    expect(await lease('b', at, end)).toBe(false);
    expect(await lease('b', end, later)).toBe(false);
    expect(await lease('a', at, end)).toBe(true);
    expect(await lease('b', later, '2026-07-01T08:01:01.000Z')).toBe(true);
    expect(await lease('a', later, later)).toBe(false);
    // A lease that a clock far ahead made.
    expect(await lease('b', at, '2026-07-03T08:00:00.000Z')).toBe(true);
    expect(await lease('a', at, end)).toBe(true);
    expect(await lease('b', later, at)).toBe(true);
    expect(await lease('a', later, later)).toBe(true);
    await other.close();
  });

  test('[HOOK-18] the key of the secrets is made once, for all processes', async () => {
    const other = await open();
    const made = await store().readOrStoreWebhookKey('first');
    expect([await store().readOrStoreWebhookKey('second'), await other.readOrStoreWebhookKey('third')]).toEqual([
      made,
      made,
    ]);
    await other.close();
  });
}
