/** The routes that list, create, change and delete webhook endpoints. */
import { Type } from 'typebox';
import { validationRefusal } from '../../../shared/domain/outcome.ts';
import { Closed } from '../../../shared/schema/fields.ts';
import {
  NewWebhook,
  NewWebhookResult,
  Webhook,
  WebhookList,
  WebhookPatch,
  webhooksPerAccountMax,
} from '../../../shared/schema/integration/webhook.ts';
import { uncachedHeaders, successReply } from '../../core/reply.ts';
import { timeOrderedUuid } from '../../core/world.ts';
import { refusalIfEventsRemoved } from '../../events/list-events.ts';
import type { WebhookRow } from '../../store/webhooks/webhook-row.ts';
import { accountBucketOf } from '../../webhooks/buckets.ts';
import { targetFlaw } from '../../webhooks/send/target.ts';
import { readEpochAndLag, toApiWebhook } from '../../webhooks/endpoint/api-webhook.ts';
import { runWebhookTransaction } from '../../webhooks/endpoint/webhook-transaction.ts';
import { exampleWebhookId } from '../routes/example-ids.ts';
import { parseIdempotency, parseSealedIdempotency } from '../routes/mutation/idempotency-key.ts';
import { route, type Route } from '../route.ts';
import type { RefusedReply } from '../route-reply.ts';
import type { Services } from '../services.ts';
import { parseWebhookId, readEpochPrefix, readWebhook, webhookNotFoundRefusal } from './webhook-ids.ts';

const path = '/api/v1/webhooks';
const exampleUrl = 'https://hooks.example.com/gemba';

export function webhookRoutes(services: Services): Route[] {
  const { store, world, webhookTargets, webhookSecrets } = services;
  const apiWebhookOf = async (accountId: string, webhook: WebhookRow): Promise<Webhook> =>
    toApiWebhook(webhook, await readEpochAndLag(services, accountId, webhook));
  const urlRefusal = (url: string): RefusedReply | undefined => {
    const flaw = targetFlaw(url, webhookTargets);
    if (flaw === undefined) return undefined;
    return { ok: false, error: { code: 'webhook_url_refused', detail: `The URL ${flaw}.` } };
  };

  return [
    route({
      method: 'GET',
      path,
      access: ['admin'],
      async handle({ caller: { accountId } }) {
        const webhooks = await store.webhooks(accountId);
        return successReply(200, { data: await Promise.all(webhooks.map((one) => apiWebhookOf(accountId, one))) });
      },
      docs: {
        operationId: 'listWebhooks',
        tag: 'Webhooks',
        summary: 'List endpoints',
        description: `The endpoints of the account, newest first: at most ${webhooksPerAccountMax}.`,
        response: { status: 200, description: 'The endpoints.', schema: WebhookList },
        examples: { plain: { summary: 'All endpoints' } },
      },
    }),

    route({
      method: 'GET',
      path: `${path}/:webhook_id`,
      access: ['admin'],
      async handle({ caller: { accountId }, params }) {
        const read = await readWebhook(store, accountId, params);
        return read.ok ? successReply(200, await apiWebhookOf(accountId, read.webhook)) : read;
      },
      docs: {
        operationId: 'getWebhook',
        tag: 'Webhooks',
        summary: 'Read an endpoint',
        description: 'How the endpoint does.',
        response: { status: 200, description: 'The endpoint.', schema: Webhook },
        codes: ['webhook_not_found'],
        examples: { plain: { summary: 'One endpoint', path: { webhook_id: exampleWebhookId } } },
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
        const parsedKey = parseSealedIdempotency(request, ['create_webhook'], world);
        if (!parsedKey.ok) return parsedKey;
        const { accountId } = request.caller;
        const epochPrefix = await readEpochPrefix(store);
        const endpoint = { id: timeOrderedUuid(world), url: new URL(url).href, types, description };
        const secret = (await webhookSecrets.secretDeriver(accountId, endpoint.id))(initialState.secret_generation);
        // The server delivers events only for the accounts that a bucket lists. The account joins its bucket before the
        // endpoint exists, so that a crash leaves no endpoint without events.
        await store.addWebhookAccount(accountBucketOf(accountId), accountId);
        const reply = await runWebhookTransaction(services, request.caller, {
          idempotency: parsedKey.idempotency,
          decide(webhooks, now) {
            if (webhooks.count >= webhooksPerAccountMax) return tooManyWebhooksRefusal;
            const webhook = { ...endpoint, ...initialState, created_at: now, cursor: webhooks.accountVersion };
            webhooks.put(webhook);
            const body = { webhook: toApiWebhook(webhook, { epochPrefix, lagSecs: 0 }), secret };
            return successReply(201, body, uncachedHeaders);
          },
        });
        // A sweep removes accounts without endpoints from their buckets. It may have removed this account before the
        // endpoint existed, so the account joins again.
        await store.addWebhookAccount(accountBucketOf(accountId), accountId);
        return reply;
      },
      docs: {
        operationId: 'createWebhook',
        tag: 'Webhooks',
        summary: 'Make an endpoint',
        description:
          'From now on the server posts each event to the URL, in order, signed as Standard Webhooks says with the secret that is shown here once. An event may come twice, with the same `webhook-id`.',
        response: { status: 201, description: 'The endpoint and its secret.', schema: NewWebhookResult },
        codes: ['webhook_limit_reached', 'webhook_url_refused'],
        idempotency: 'key',
        examples: {
          plain: {
            summary: 'An endpoint for recordings',
            body: { url: exampleUrl, types: ['recording.received'], description: 'ERP' },
          },
        },
      },
    }),

    route({
      method: 'PATCH',
      path: `${path}/:webhook_id`,
      access: ['admin'],
      body: WebhookPatch,
      async handle(request) {
        const { skip = false, status, ...fields } = request.body;
        if (skip && status !== 'active') {
          return validationRefusal([{ path: '/skip', message: 'goes with `status` `active`' }]);
        }
        const { accountId } = request.caller;
        const read = await readWebhook(store, accountId, request.params);
        if (!read.ok) return read;
        const { id, cursor } = read.webhook;
        const refused = fields.url === undefined ? undefined : urlRefusal(fields.url);
        if (refused) return refused;
        const parsedKey = parseIdempotency(request, ['update_webhook', id]);
        if (!parsedKey.ok) return parsedKey;
        const resumes = status === 'active' && !skip;
        const removed = resumes ? await refusalIfEventsRemoved(store, accountId, cursor) : undefined;
        if (removed) return removed;
        const epochAndLag = await readEpochAndLag(services, accountId, { ...read.webhook, ...fields });
        return runWebhookTransaction(services, request.caller, {
          idempotency: parsedKey.idempotency,
          decide(webhooks) {
            const webhook = webhooks.get(id);
            if (!webhook) return webhookNotFoundRefusal;
            const changed: WebhookRow = {
              ...webhook,
              ...fields,
              ...(fields.url === undefined ? {} : { url: new URL(fields.url).href }),
              // Earlier failures may concern the old URL or an event that the new types leave out, so they do not count.
              ...(fields.url === undefined && fields.types === undefined
                ? {}
                : { tries: 0, next_attempt_at: null, failing_since: null, failing_from: null }),
              ...(status === 'active' ? enabledState : {}),
              ...(skip ? { cursor: webhooks.accountVersion } : {}),
              ...(status === 'disabled' ? { disabled_reason: 'admin' as const, tries: 0, next_attempt_at: null } : {}),
            };
            webhooks.put(changed);
            return successReply(200, toApiWebhook(changed, skip ? { ...epochAndLag, lagSecs: 0 } : epochAndLag));
          },
        });
      },
      docs: {
        operationId: 'updateWebhook',
        tag: 'Webhooks',
        summary: 'Change an endpoint',
        description:
          'Changes what the body names. `active` goes on at the event at which the endpoint stopped, or with `skip` from now.',
        response: { status: 200, description: 'The endpoint.', schema: Webhook },
        codes: ['webhook_not_found', 'webhook_url_refused', 'cursor_expired'],
        idempotency: 'key',
        examples: {
          plain: {
            summary: 'Send all types',
            path: { webhook_id: exampleWebhookId },
            body: { types: null, status: 'active' },
          },
        },
      },
    }),

    route({
      method: 'POST',
      path: `${path}/:webhook_id/delete`,
      access: ['admin'],
      body: Closed({}),
      async handle(request) {
        const parsed = parseWebhookId(request.params);
        if (!parsed.ok) return parsed;
        const { id } = parsed;
        const parsedKey = parseIdempotency(request, ['delete_webhook', id]);
        if (!parsedKey.ok) return parsedKey;
        return runWebhookTransaction(services, request.caller, {
          idempotency: parsedKey.idempotency,
          decide(webhooks) {
            if (!webhooks.get(id)) return webhookNotFoundRefusal;
            webhooks.remove(id);
            return successReply(200, { id, deleted: true });
          },
        });
      },
      docs: {
        operationId: 'deleteWebhook',
        tag: 'Webhooks',
        summary: 'Delete an endpoint',
        description: 'Nothing more is sent to it, and its deliveries are forgotten.',
        response: {
          status: 200,
          description: 'The endpoint is gone.',
          schema: Closed({ id: Type.String(), deleted: Type.Boolean() }),
        },
        codes: ['webhook_not_found'],
        idempotency: 'key',
        examples: { plain: { summary: 'Delete', path: { webhook_id: exampleWebhookId } } },
      },
    }),
  ];
}

/** Forgets earlier failures, so that the next event is sent at once. */
const enabledState = {
  disabled_reason: null,
  tries: 0,
  next_attempt_at: null,
  failing_since: null,
  failing_from: null,
} as const;
const initialState = { ...enabledState, revision: 0, secret_generation: 1, old_secrets: [], last_success_at: null };

const tooManyWebhooksRefusal: RefusedReply = {
  ok: false,
  error: {
    code: 'webhook_limit_reached',
    detail: `The account has ${webhooksPerAccountMax} endpoints, as many as it may; delete one first.`,
    members: { limit: webhooksPerAccountMax },
  },
};
