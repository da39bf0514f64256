/** The routes that test a webhook endpoint, renew its secret, list its deliveries and send events again. */
import { validationRefusal } from '../../../shared/domain/outcome.ts';
import { Closed, Described } from '../../../shared/schema/fields.ts';
import {
  deliveryOutcomes,
  NewWebhookResult,
  secretOverlapHoursDefault,
  SecretRotation,
  Webhook,
  WebhookDeliveryPage,
  WebhookReplay,
  WebhookTry,
} from '../../../shared/schema/integration/webhook.ts';
import { Type } from 'typebox';
import { uncachedHeaders, successReply } from '../../core/reply.ts';
import { parseReplayPosition } from '../../webhooks/endpoint/replay-position.ts';
import { rotateSecret } from '../../webhooks/endpoint/rotate-secret.ts';
import { redeliver, sendTest } from '../../webhooks/send/send-now.ts';
import { toApiWebhookDelivery, readEpochAndLag, toApiWebhook } from '../../webhooks/endpoint/api-webhook.ts';
import { runWebhookTransaction } from '../../webhooks/endpoint/webhook-transaction.ts';
import { exampleEventCursors, exampleWebhookId } from '../routes/example-ids.ts';
import { isIntegerText, pageLimitOf, pageQueryFields, pageReply, parsePageCursor } from '../routes/list.ts';
import { parseIdempotency, parseSealedIdempotency } from '../routes/mutation/idempotency-key.ts';
import { route, type Route } from '../route.ts';
import type { Services } from '../services.ts';
import { readWebhook, webhookNotFoundRefusal } from './webhook-ids.ts';

const path = '/api/v1/webhooks/:webhook_id';
const NoFields = Closed({});

const DeliveriesQuery = Closed({
  ...pageQueryFields,
  outcome: Described(
    Type.Optional(Type.Enum(deliveryOutcomes, { expected: deliveryOutcomes.join(', ') })),
    'Only deliveries that ended so. Default: all.',
  ),
});

export function webhookDeliveryRoutes(services: Services): Route[] {
  const { store, world, webhookSecrets: secrets, webhookTargets: allowed } = services;
  const senderServices = { store, world, secrets, allowed };

  return [
    route({
      method: 'POST',
      path: `${path}/test`,
      access: ['admin'],
      body: NoFields,
      async handle({ caller: { accountId, actor }, params }) {
        const read = await readWebhook(store, accountId, params);
        if (!read.ok) return read;
        return successReply(200, await sendTest(senderServices, { accountId, actor, webhook: read.webhook }));
      },
      docs: {
        operationId: 'testWebhook',
        tag: 'Webhooks',
        summary: 'Try an endpoint',
        description:
          'Sends `webhook.test` now, also to a disabled endpoint, and tells what came back. It is no event of the account, and changes nothing.',
        response: { status: 200, description: 'What came back.', schema: WebhookTry },
        codes: ['webhook_not_found'],
        examples: {},
      },
    }),

    route({
      method: 'POST',
      path: `${path}/rotate-secret`,
      access: ['admin'],
      body: SecretRotation,
      async handle(request) {
        const { accountId } = request.caller;
        const { overlap_hours = secretOverlapHoursDefault } = request.body;
        const read = await readWebhook(store, accountId, request.params);
        if (!read.ok) return read;
        const { id } = read.webhook;
        const parsedKey = parseSealedIdempotency(request, ['rotate_webhook_secret', id], world);
        if (!parsedKey.ok) return parsedKey;
        const epochAndLag = await readEpochAndLag(services, accountId, read.webhook);
        const secretOf = await secrets.secretDeriver(accountId, id);
        return runWebhookTransaction(services, request.caller, {
          idempotency: parsedKey.idempotency,
          decide(webhooks, now) {
            const webhook = webhooks.get(id);
            if (!webhook) return webhookNotFoundRefusal;
            const rotated = rotateSecret(webhook, { overlapHours: overlap_hours, now });
            webhooks.put(rotated);
            const secret = secretOf(rotated.secret_generation);
            return successReply(200, { webhook: toApiWebhook(rotated, epochAndLag), secret }, uncachedHeaders);
          },
        });
      },
      docs: {
        operationId: 'rotateWebhookSecret',
        tag: 'Webhooks',
        summary: 'Renew the secret',
        description:
          'Makes a new secret, which is shown here once. Until the overlap ends, deliveries have a signature of each secret.',
        response: { status: 200, description: 'The endpoint and its new secret.', schema: NewWebhookResult },
        codes: ['webhook_not_found'],
        idempotency: 'key',
        examples: {
          plain: {
            summary: 'With a day for the change',
            path: { webhook_id: exampleWebhookId },
            body: { overlap_hours: 24 },
          },
        },
      },
    }),

    route({
      method: 'POST',
      path: `${path}/replay`,
      access: ['admin'],
      body: WebhookReplay,
      async handle(request) {
        const { accountId } = request.caller;
        const read = await readWebhook(store, accountId, request.params);
        if (!read.ok) return read;
        const { id, types } = read.webhook;
        const parsedKey = parseIdempotency(request, ['replay_webhook', id]);
        if (!parsedKey.ok) return parsedKey;
        const position = await parseReplayPosition(store, accountId, request.body.after);
        if (!position.ok) return position;
        const epochAndLag = await readEpochAndLag(services, accountId, { cursor: position.version, types });
        return runWebhookTransaction(services, request.caller, {
          idempotency: parsedKey.idempotency,
          decide(webhooks) {
            const webhook = webhooks.get(id);
            if (!webhook) return webhookNotFoundRefusal;
            if (position.version > webhook.cursor) return positionTooLateRefusal;
            const replayed = { ...webhook, cursor: position.version, tries: 0, next_attempt_at: null };
            webhooks.put(replayed);
            return successReply(200, toApiWebhook(replayed, epochAndLag));
          },
        });
      },
      docs: {
        operationId: 'replayWebhook',
        tag: 'Webhooks',
        summary: 'Send events again',
        description:
          'Goes back to a cursor or an event: what came after it is sent again, in order, with the ids that the events had.',
        response: { status: 200, description: 'The endpoint, which goes on there.', schema: Webhook },
        codes: ['webhook_not_found', 'cursor_expired'],
        idempotency: 'key',
        examples: {
          plain: {
            summary: 'Everything after a cursor',
            path: { webhook_id: exampleWebhookId },
            body: { after: exampleEventCursors.latest },
          },
        },
      },
    }),

    route({
      method: 'GET',
      path: `${path}/deliveries`,
      access: ['admin'],
      query: DeliveriesQuery,
      async handle({ caller: { accountId }, params, query }) {
        const read = await readWebhook(store, accountId, params);
        if (!read.ok) return read;
        const { outcome } = query;
        const listPath = `/api/v1/webhooks/${read.webhook.id}/deliveries`;
        const list = { path: listPath, filters: { outcome }, limit: query.limit };
        const cursor = parsePageCursor(list, query.cursor, isIntegerText);
        if (!cursor.ok) return cursor;
        const before = cursor.position === undefined ? undefined : Number(cursor.position);
        const asked = { webhookId: read.webhook.id, outcome, before, limit: pageLimitOf(query) };
        const { rows, next } = await store.deliveries(accountId, asked);
        const data = rows.map((row) => toApiWebhookDelivery(accountId, row));
        return pageReply(list, data, next === null ? null : String(next));
      },
      docs: {
        operationId: 'listWebhookDeliveries',
        tag: 'Webhooks',
        summary: 'List deliveries',
        description: 'The last try of each event of the last 30 days, the newest event first.',
        response: { status: 200, description: 'A page of deliveries.', schema: WebhookDeliveryPage, headers: ['Link'] },
        codes: ['webhook_not_found'],
        examples: {
          plain: {
            summary: 'What was set aside',
            path: { webhook_id: exampleWebhookId },
            query: { outcome: 'set_aside' },
          },
        },
      },
    }),

    route({
      method: 'POST',
      path: `${path}/deliveries/:event_id/redeliver`,
      access: ['admin'],
      body: NoFields,
      async handle({ caller: { accountId }, params }) {
        const read = await readWebhook(store, accountId, params);
        if (!read.ok) return read;
        return redeliver(senderServices, { accountId, webhook: read.webhook, eventId: params['event_id'] ?? '' });
      },
      docs: {
        operationId: 'redeliverWebhookEvent',
        tag: 'Webhooks',
        summary: 'Send one event again',
        description:
          'Sends an event of the deliveries now, such as one that was set aside, and tells what came back. The other events keep their order.',
        response: { status: 200, description: 'What came back.', schema: WebhookTry },
        codes: ['webhook_not_found', 'event_not_found'],
        examples: {},
      },
    }),
  ];
}

const positionTooLateRefusal = validationRefusal([
  { path: '/after', message: 'is after the next event of this endpoint, and events would be left out' },
]);
