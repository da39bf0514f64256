import type { Store } from '../store/store.ts';
import { accountBucketOf } from './buckets.ts';

type SweptStore = Pick<Store, 'webhooks' | 'addWebhookAccount' | 'removeWebhookAccount'>;

/**
 * Removes an account without endpoints from its bucket, and returns true if the bucket had the account. Adds an account
 * with endpoints to its bucket again, since a crash during an earlier sweep may have left the account outside.
 */
export async function sweepWebhookAccount(store: SweptStore, accountId: string): Promise<boolean> {
  const bucket = accountBucketOf(accountId);
  const hasEndpoints = async () => (await store.webhooks(accountId)).length > 0;
  if (await hasEndpoints()) {
    await store.addWebhookAccount(bucket, accountId);
    return false;
  }
  const isRemoved = await store.removeWebhookAccount(bucket, accountId);
  // The first endpoint may have been created between the two statements.
  if (isRemoved && (await hasEndpoints())) await store.addWebhookAccount(bucket, accountId);
  return isRemoved;
}
