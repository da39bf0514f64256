/** The routes of webhooks (HOOK-A). */
import { Type } from 'typebox';
import { Closed } from '../../../shared/schema/fields.ts';
import {
  NewWebhook,
  NewWebhookResult,
  Webhook,
  WebhookList,
  WebhookPatch,
  webhooksPerAccountMax,
} from '../../../shared/schema/integration/webhook.ts';
import { noStoreHeaders, successReply } from '../../core/reply.ts';
import { timeOrderedUuid } from '../../core/world.ts';
import { historyOf } from '../../events/event-cursor.ts';
import { isLowerCaseUuid } from '../routes/list.ts';
import { parseIdempotency, parseSealedIdempotency } from '../routes/mutation/idempotency-key.ts';
import { route, type Route } from '../route.ts';
import type { RefusedReply } from '../route-reply.ts';
import type { Services } from '../services.ts';
import type { WebhookRow } from '../../store/webhooks/webhook-row.ts';
import { bucketOf } from '../../webhooks/buckets.ts';
import { webhookSecret } from '../../webhooks/signature.ts';
import { targetFlaw } from '../../webhooks/target.ts';
import { newKey } from '../../webhooks/webhook-deliverer.ts';
import { webhookRecord } from '../../webhooks/webhook-record.ts';
import { runWebhookTransaction } from '../../webhooks/webhook-transaction.ts';

const path = '/api/v1/webhooks';
const NoFields = Closed({});

export function webhookRoutes(services: Services): Route[] {
  const { store, world, webhookTargets } = services;
  const history = async () => historyOf(await store.epoch());
  const serverKey = async () => Buffer.from(await store.webhookKey(newKey(world)), 'base64url');
  const urlRefusal = (url: string): RefusedReply | undefined => {
    const flaw = targetFlaw(url, webhookTargets);
    return flaw === undefined
      ? undefined
      : { ok: false, error: { code: 'webhook_url_refused', detail: `The URL ${flaw}.` } };
  };

  return [
    route({
      method: 'GET',
      path,
      access: ['admin'],
      async handle({ caller }) {
        const at = await history();
        const rows = await store.webhooks(caller.accountId);
        return successReply(200, { data: rows.map((row) => webhookRecord(row, at)) });
      },
      docs: {
        operationId: 'listWebhooks',
        tag: 'Events',
        summary: 'List endpoints',
        description: 'The endpoints of the account, newest first: at most 20.',
        response: { status: 200, description: 'The endpoints.', schema: WebhookList },
        examples: {},
      },
    }),

    route({
      method: 'POST',
      path,
      access: ['admin'],
      body: NewWebhook,
      async handle(request) {
        const { url, types = null, description = '' } = request.body;
        const refused = urlRefusal(url);
        if (refused) return refused;
        const keyed = parseSealedIdempotency(request, ['create_webhook'], world);
        if (!keyed.ok) return keyed;
        const { accountId } = request.caller;
        const [at, key, id] = [await history(), await serverKey(), timeOrderedUuid(world)];
        // Before the endpoint: a bucket without an endpoint is harmless, one that nobody looks into is not.
        await store.addWebhookAccount(bucketOf(accountId), accountId);
        return runWebhookTransaction(services, request.caller, {
          idempotency: keyed.idempotency,
          decide(webhooks, now) {
            if (webhooks.count >= webhooksPerAccountMax) return limitRefusal;
            const webhook = newWebhook({
              id,
              url,
              types,
              description,
              created_at: now,
              cursor: webhooks.accountVersion,
            });
            webhooks.put(webhook);
            const secret = webhookSecret(key, { accountId, webhookId: id, generation: webhook.secret_generation });
            return successReply(201, { webhook: webhookRecord(webhook, at), secret }, noStoreHeaders);
          },
        });
      },
      docs: {
        operationId: 'createWebhook',
        tag: 'Events',
        summary: 'Make an endpoint',
        description:
          'From now on the server posts each event to the URL, in order, signed by Standard Webhooks with the secret that is shown here once. An event may come twice, with the same `webhook-id`.',
        response: { status: 201, description: 'The endpoint and its secret.', schema: NewWebhookResult },
        codes: ['webhook_limit_reached', 'webhook_url_refused'],
        idempotency: 'key',
        examples: {},
      },
    }),

    route({
      method: 'PATCH',
      path: `${path}/:webhook_id`,
      access: ['admin'],
      body: WebhookPatch,
      async handle(request) {
        const { skip = false, status, ...fields } = request.body;
        const refused = fields.url === undefined ? undefined : urlRefusal(fields.url);
        if (refused) return refused;
        const id = request.params['webhook_id']!.toLowerCase();
        const keyed = parseIdempotency(request, ['update_webhook', id]);
        if (!keyed.ok) return keyed;
        const at = await history();
        return runWebhookTransaction(services, request.caller, {
          idempotency: keyed.idempotency,
          decide(webhooks) {
            const before = isLowerCaseUuid(id) ? webhooks.get(id) : undefined;
            if (!before) return notFoundRefusal;
            const enabled = { is_disabled: false, tries: 0, next_attempt_at: null, failing_since: null };
            const webhook: WebhookRow = {
              ...before,
              ...fields,
              ...(status === 'active' ? enabled : {}),
              ...(status === 'active' && skip ? { cursor: webhooks.accountVersion } : {}),
              ...(status === 'disabled' ? { is_disabled: true } : {}),
            };
            webhooks.put(webhook);
            return successReply(200, webhookRecord(webhook, at));
          },
        });
      },
      docs: {
        operationId: 'updateWebhook',
        tag: 'Events',
        summary: 'Change an endpoint',
        description: 'Changes what the body names. `active` goes on at the event at which the endpoint stopped.',
        response: { status: 200, description: 'The endpoint.', schema: Webhook },
        codes: ['webhook_not_found', 'webhook_url_refused'],
        idempotency: 'key',
        examples: {},
      },
    }),

    route({
      method: 'POST',
      path: `${path}/:webhook_id/delete`,
      access: ['admin'],
      body: NoFields,
      async handle(request) {
        const id = request.params['webhook_id']!.toLowerCase();
        const keyed = parseIdempotency(request, ['delete_webhook', id]);
        if (!keyed.ok) return keyed;
        return runWebhookTransaction(services, request.caller, {
          idempotency: keyed.idempotency,
          decide(webhooks) {
            if (!webhooks.get(id)) return notFoundRefusal;
            webhooks.remove(id);
            return successReply(200, { id, deleted: true });
          },
        });
      },
      docs: {
        operationId: 'deleteWebhook',
        tag: 'Events',
        summary: 'Delete an endpoint',
        description: 'Nothing more is sent to it, and its deliveries are forgotten.',
        response: {
          status: 200,
          description: 'The endpoint is gone.',
          schema: Closed({ id: Type.String(), deleted: Type.Boolean() }),
        },
        codes: ['webhook_not_found'],
        idempotency: 'key',
        examples: {},
      },
    }),
  ];
}

function newWebhook(
  fields: Pick<WebhookRow, 'id' | 'url' | 'types' | 'description' | 'created_at' | 'cursor'>,
): WebhookRow {
  return {
    ...fields,
    secret_generation: 1,
    old_secret_until: null,
    is_disabled: false,
    tries: 0,
    next_attempt_at: null,
    failing_since: null,
    last_success_at: null,
  };
}

const notFoundRefusal: RefusedReply = {
  ok: false,
  error: { code: 'webhook_not_found', detail: 'There is no such endpoint.' },
};

const limitRefusal: RefusedReply = {
  ok: false,
  error: {
    code: 'webhook_limit_reached',
    detail: `The account has ${webhooksPerAccountMax} endpoints, as many as it may; delete one first.`,
    members: { limit: webhooksPerAccountMax },
  },
};
