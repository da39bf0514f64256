/** Signs and sends one message to an endpoint. */
import type { World } from '../../core/world.ts';
import { toAccountEvent } from '../../events/list-events.ts';
import { withSubjectRecords } from '../../events/subject-records.ts';
import type { LoggedEvent } from '../../store/events/event-row.ts';
import type { Store } from '../../store/store.ts';
import type { WebhookRow } from '../../store/webhooks/webhook-row.ts';
import { deliveryBody } from './delivery-body.ts';
import { postWebhook, type WebhookResponse } from './post-webhook.ts';
import { signatureHeaderOf } from './signature.ts';
import type { AllowedTargets } from './target.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

export interface SenderServices {
  store: Store;
  world: World;
  secrets: WebhookSecrets;
  allowed: AllowedTargets;
  /** Aborts when the process stops. */
  signal: AbortSignal;
}

interface WebhookMessage {
  /** Stays the same each time the message is sent. */
  id: string;
  body: string;
}

/** Makes the message of an event, with the current record of the event's subject. */
export async function readEventMessage(
  store: Store,
  accountId: string,
  { event, createdAt }: { event: LoggedEvent; createdAt: string },
): Promise<WebhookMessage> {
  const bare = toAccountEvent(accountId, event, createdAt);
  const [withRecord = bare] = await withSubjectRecords(store, { accountId, isAdmin: true }, [bare]);
  return { id: bare.id, body: deliveryBody(withRecord) };
}

export async function sendMessage(
  { world, secrets, allowed, signal }: Omit<SenderServices, 'store'>,
  { accountId, webhook, id, body }: WebhookMessage & { accountId: string; webhook: WebhookRow },
): Promise<WebhookResponse> {
  const timestamp = Math.floor(world.now() / 1000);
  const signing = await secrets.signingSecrets(accountId, webhook);
  return postWebhook({
    url: webhook.url,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'Gemba-Webhooks',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureHeaderOf(signing, { id, timestamp, body }),
    },
    body,
    allowed,
    signal,
  });
}
