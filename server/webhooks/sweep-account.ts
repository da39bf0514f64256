import type { Store } from '../store/store.ts';
import { bucketOf } from './buckets.ts';

type SweptStore = Pick<Store, 'webhooks' | 'addWebhookAccount' | 'removeWebhookAccount'>;

/**
 * Takes an account that has no endpoints out of its bucket, so that no process asks for them. Returns true if it was in one.
 * Puts an account with endpoints back: a crash between a sweep and the making of an endpoint may have left it out.
 */
export async function sweepWebhookAccount(store: SweptStore, accountId: string): Promise<boolean> {
  const bucket = bucketOf(accountId);
  const hasEndpoints = async () => (await store.webhooks(accountId)).length > 0;
  if (await hasEndpoints()) {
    await store.addWebhookAccount(bucket, accountId);
    return false;
  }
  const isRemoved = await store.removeWebhookAccount(bucket, accountId);
  // The first endpoint may have been made between both statements.
  if (isRemoved && (await hasEndpoints())) await store.addWebhookAccount(bucket, accountId);
  return isRemoved;
}
