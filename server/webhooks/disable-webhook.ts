import { operator } from '../core/caller.ts';
import { isoNow, type World } from '../core/world.ts';
import { writesWithoutRecords } from '../auth/credential-transaction.ts';
import { emptyReadSet } from '../mutate/working-set/read-set.ts';
import { EventSet } from '../mutate/working-set/event-set.ts';
import type { Store } from '../store/store.ts';
import type { DeliverySave } from '../store/webhooks/webhook-row.ts';

/**
 * Saves the try after which an endpoint gets nothing more, together with the event `webhook.disabled`. Writes nothing if
 * someone else moved the endpoint's cursor or tries meanwhile.
 */
export async function disableAfterTry(
  { store, world }: { store: Store; world: World },
  accountId: string,
  { webhookId, before, state, delivery }: DeliverySave,
): Promise<void> {
  const now = isoNow(world);
  const readSet = { ...emptyReadSet(), webhooks: true };
  await store.transact(accountId, readSet, ({ account, webhooks = [] }) => {
    const webhook = webhooks.find(({ id }) => id === webhookId);
    const isMoved = webhook?.cursor !== before.cursor || webhook.tries !== before.tries || webhook.is_disabled;
    if (!webhook || isMoved) return { result: undefined };
    const version = account.version + 1;
    const events = new EventSet();
    events.actor = operator;
    events.add('webhook.disabled', webhookId, { version, now });
    const writes = {
      ...writesWithoutRecords({ ...account, version }),
      events: events.rows(),
      webhooks: { put: [{ ...webhook, ...state }], removed: [], deliveries: delivery ? [delivery] : [] },
    };
    return { writes, result: undefined };
  });
}
