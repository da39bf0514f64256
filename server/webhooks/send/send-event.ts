/** Signs and sends one message to an endpoint. */
import type { AccountEvent } from '../../../shared/schema/integration/account-event.ts';
import type { World } from '../../core/world.ts';
import { toAccountEvent } from '../../events/list-events.ts';
import { withSubjectRecords } from '../../events/subject-records.ts';
import type { LoggedEvent } from '../../store/events/event-row.ts';
import type { Store } from '../../store/store.ts';
import type { WebhookRow } from '../../store/webhooks/webhook-row.ts';
import { deliveryBody } from './delivery-body.ts';
import { postWebhook, type WebhookResponse } from './post-webhook.ts';
import { signaturesOf } from './signature.ts';
import type { AllowedTargets } from './target.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

export interface SenderParts {
  store: Store;
  world: World;
  secrets: WebhookSecrets;
  allowed: AllowedTargets;
  /** Aborts when the process stops. */
  signal: AbortSignal;
}

interface EventToSend {
  accountId: string;
  webhook: WebhookRow;
  event: LoggedEvent;
  createdAt: string;
}

/** Sends an event with its subject's record as it is now. */
export async function sendEvent(
  parts: SenderParts,
  { accountId, webhook, event, createdAt }: EventToSend,
): Promise<WebhookResponse> {
  const accountEvent = toAccountEvent(accountId, event, createdAt);
  const withRecord = await readSubject(parts, accountId, accountEvent);
  return sendMessage(parts, { accountId, webhook, id: accountEvent.id, body: deliveryBody(withRecord) });
}

async function readSubject({ store }: SenderParts, accountId: string, event: AccountEvent): Promise<AccountEvent> {
  const [withRecord = event] = await withSubjectRecords(store, { accountId, isAdmin: true }, [event]);
  return withRecord;
}

interface Message {
  accountId: string;
  webhook: WebhookRow;
  /** Stays the same each time the message is sent. */
  id: string;
  body: string;
}

export async function sendMessage(
  { world, secrets, allowed, signal }: Omit<SenderParts, 'store'>,
  { accountId, webhook, id, body }: Message,
): Promise<WebhookResponse> {
  const timestamp = Math.floor(world.now() / 1000);
  const live = await secrets.live(accountId, webhook);
  return postWebhook({
    url: webhook.url,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'Gemba-Webhooks',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signaturesOf(live, { id, timestamp, body }),
    },
    body,
    allowed,
    signal,
  });
}
