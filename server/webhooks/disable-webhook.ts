import { operatorActor } from '../core/caller.ts';
import { isoNow, type World } from '../core/world.ts';
import { writesWithoutRecords } from '../mutate/account-transaction.ts';
import { emptyReadSet } from '../mutate/working-set/read-set.ts';
import { EventSet } from '../mutate/working-set/event-set.ts';
import type { Store } from '../store/store.ts';
import type { DeliverySave } from '../store/webhooks/webhook-row.ts';

/**
 * Saves the state of a disabled endpoint together with the event `webhook.disabled`. Returns false, and writes nothing,
 * if the endpoint changed since it was read.
 */
export function disableWebhook(
  { store, world }: { store: Store; world: World },
  accountId: string,
  { webhookId, revision, state, delivery }: DeliverySave,
): Promise<boolean> {
  const now = isoNow(world);
  const readSet = { ...emptyReadSet(), webhooks: true };
  return store.transact(accountId, readSet, ({ account, webhooks = [] }) => {
    const webhook = webhooks.find(({ id }) => id === webhookId);
    if (webhook?.revision !== revision) return { result: false };
    const version = account.version + 1;
    const events = new EventSet();
    events.actor = operatorActor;
    events.add('webhook.disabled', webhookId, { version, now });
    const writes = {
      ...writesWithoutRecords({ ...account, version }),
      events: events.rows(),
      webhooks: { put: [{ ...webhook, ...state }], removed: [], deliveries: delivery ? [delivery] : [] },
    };
    return { writes, result: true };
  });
}
