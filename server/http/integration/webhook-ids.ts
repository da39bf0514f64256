/**
 * Parses the id of a webhook endpoint in a path, and reads the endpoint. An invalid id is refused like an unknown one.
 */
import { epochPrefixOf } from '../../events/event-cursor.ts';
import type { Store } from '../../store/store.ts';
import type { WebhookRow } from '../../store/webhooks/webhook-row.ts';
import { isLowerCaseUuid } from '../routes/list.ts';
import type { RefusedReply } from '../route-reply.ts';

export const webhookNotFoundRefusal: RefusedReply = {
  ok: false,
  error: { code: 'webhook_not_found', detail: 'There is no such endpoint.' },
};

export function parseWebhookId(params: Record<string, string>): { ok: true; id: string } | RefusedReply {
  const id = params['webhook_id']?.toLowerCase() ?? '';
  return isLowerCaseUuid(id) ? { ok: true, id } : webhookNotFoundRefusal;
}

/** Reads the endpoint that the path names. */
export async function readWebhook(
  store: Store,
  accountId: string,
  params: Record<string, string>,
): Promise<{ ok: true; webhook: WebhookRow } | RefusedReply> {
  const parsed = parseWebhookId(params);
  if (!parsed.ok) return parsed;
  const webhook = await store.webhook(accountId, parsed.id);
  return webhook ? { ok: true, webhook } : webhookNotFoundRefusal;
}

export const readEpochPrefix = async (store: Store): Promise<string> => epochPrefixOf(await store.epoch());
