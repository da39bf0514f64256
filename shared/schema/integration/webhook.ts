/** Webhooks: endpoints of other systems to which the server posts account events. */
import { Type, type Static } from 'typebox';
import { Closed, Described, Instant, Nullable, Text, Uuid } from '../fields.ts';
import { PageSchema } from '../page.ts';
import { eventTypes } from './event-types.ts';

export const webhooksPerAccountMax = 20;
export const secretOverlapHoursMax = 168;
export const secretOverlapHoursDefault = 24;
const urlLengthMax = 2_000;
const descriptionLengthMax = 500;

const WebhookUrl = Type.String({
  minLength: 1,
  maxLength: urlLengthMax,
  expected: `a URL of at most ${urlLengthMax} characters`,
});
const WebhookTypes = Type.Array(Type.Enum(eventTypes, { expected: `one of ${eventTypes.join(', ')}` }), {
  minItems: 1,
  uniqueItems: true,
  expected: 'a list of different types',
});

/** The body of `POST /webhooks`. */
export const NewWebhook = Closed(
  {
    url: Described(WebhookUrl, 'Where events are posted: https, and no address of a private network.'),
    types: Described(Type.Optional(Nullable(WebhookTypes)), 'Only events of these types. Default: all.'),
    description: Described(Type.Optional(Text(descriptionLengthMax)), 'A description for people.'),
  },
  { title: 'NewWebhook', description: 'An endpoint of another system.' },
);
export type NewWebhook = Static<typeof NewWebhook>;

/** The body of `PATCH /webhooks/{id}`. */
export const WebhookPatch = Closed(
  {
    url: Type.Optional(WebhookUrl),
    types: Described(Type.Optional(Nullable(WebhookTypes)), 'The types of the events to deliver; null for all types.'),
    description: Type.Optional(Text(descriptionLengthMax)),
    status: Described(
      Type.Optional(Type.Enum(['active', 'disabled'], { expected: 'active or disabled' })),
      '`active` goes on where the endpoint stopped, and tries the next event at once.',
    ),
    skip: Described(
      Type.Optional(Type.Boolean({ expected: 'true or false' })),
      'With `active`: leaves out the events until now.',
    ),
  },
  { title: 'WebhookPatch', description: 'The fields to change. Absent fields stay as they are.' },
);
export type WebhookPatch = Static<typeof WebhookPatch>;

export const disabledReasons = ['gone', 'failing', 'events_removed', 'admin'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

export const Webhook = Closed(
  {
    id: Described(Uuid, 'Its id.'),
    url: Described(WebhookUrl, 'Where events are posted.'),
    types: Described(Nullable(WebhookTypes), 'The types of the events to deliver; null for all types.'),
    description: Described(Type.String(), 'A description for people.'),
    status: Described(
      Type.Enum(['active', 'failing', 'disabled']),
      '`failing`: no delivery has succeeded since one failed. `disabled`: nothing is sent.',
    ),
    disabled_reason: Described(
      Nullable(Type.Enum(disabledReasons)),
      '`gone`: the endpoint answered 410. `failing`: no delivery succeeded for five days. `events_removed`: the next events are older than 30 days and were removed. `admin`: an admin disabled the endpoint. null unless it is disabled.',
    ),
    created_at: Instant,
    last_success_at: Described(Nullable(Instant), 'When a delivery last succeeded.'),
    failing_since: Described(Nullable(Instant), 'Since when deliveries have failed; null while they succeed.'),
    next_attempt_at: Described(Nullable(Instant), 'When the failed delivery is tried again; null unless one failed.'),
    cursor: Described(
      Type.String(),
      'The cursor up to which events were delivered or set aside. `GET /events?after=` accepts it.',
    ),
    lag_secs: Described(
      Type.Integer({ minimum: 0 }),
      'How long the oldest waiting event has waited, in seconds; 0 if none waits.',
    ),
  },
  { title: 'Webhook', description: 'An endpoint of another system.' },
);
export type Webhook = Static<typeof Webhook>;

export const NewWebhookResult = Closed(
  {
    webhook: Described(Webhook, 'The endpoint.'),
    secret: Described(Type.String(), 'The secret that signs the deliveries. It is not shown again.'),
  },
  { title: 'NewWebhookResult', description: 'A new endpoint and its secret.' },
);
export type NewWebhookResult = Static<typeof NewWebhookResult>;

/** The body of `POST /webhooks/{id}/rotate-secret`. */
export const SecretRotation = Closed(
  {
    overlap_hours: Described(
      Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: secretOverlapHoursMax,
          expected: `an integer from 0 to ${secretOverlapHoursMax}`,
        }),
      ),
      `How long the secrets before sign, too. 0 ends them at once. Default: ${secretOverlapHoursDefault}.`,
    ),
  },
  { title: 'SecretRotation', description: 'How long the old secrets stay valid.' },
);
export type SecretRotation = Static<typeof SecretRotation>;

/** The body of `POST /webhooks/{id}/replay`. */
export const WebhookReplay = Closed(
  {
    after: Described(
      Type.String({ minLength: 1, expected: 'a cursor, or the id of an event' }),
      'Events after this cursor or event are sent again.',
    ),
  },
  { title: 'WebhookReplay', description: 'The position from which to send events again.' },
);
export type WebhookReplay = Static<typeof WebhookReplay>;

const attemptFields = {
  status: Described(
    Nullable(Type.Integer({ minimum: 100, maximum: 599 })),
    'The HTTP status; null if there was no whole response.',
  ),
  duration_ms: Described(Type.Integer({ minimum: 0 }), 'From the connection to the end of the response.'),
  body: Described(Nullable(Type.String()), "The first 500 characters of the response's body; null if there was none."),
  error: Described(Nullable(Type.String()), 'The reason why there was no whole response; null if there was one.'),
};

export const WebhookTry = Closed(
  { delivered: Described(Type.Boolean(), 'Whether the status was 2xx.'), ...attemptFields },
  { title: 'WebhookTry', description: 'The response of an endpoint to an attempt.' },
);
export type WebhookTry = Static<typeof WebhookTry>;

export const deliveryOutcomes = ['delivered', 'failed', 'set_aside'] as const;

export const WebhookDelivery = Closed(
  {
    event: Described(
      Closed({ id: Type.String(), type: Type.Enum(eventTypes) }),
      'The event; its id is the `webhook-id` of each try.',
    ),
    outcome: Described(
      Type.Enum(deliveryOutcomes),
      '`failed`: the delivery is tried again while the endpoint is active. `set_aside`: it failed ten times, and the next event is sent.',
    ),
    attempts: Described(Type.Integer({ minimum: 1 }), 'How often the delivery was tried since it was its turn.'),
    attempted_at: Described(Instant, 'When the delivery was last tried.'),
    ...attemptFields,
  },
  { title: 'WebhookDelivery', description: 'The last attempt to deliver an event to an endpoint.' },
);
export type WebhookDelivery = Static<typeof WebhookDelivery>;

export const WebhookDeliveryPage = PageSchema(WebhookDelivery, {
  title: 'WebhookDeliveryPage',
  description: 'A page of deliveries.',
  data: 'The last try of each event, the newest event first.',
});

export const WebhookList = Closed(
  { data: Described(Type.Array(Webhook), 'The endpoints, newest first.') },
  { title: 'WebhookList', description: 'All endpoints of the account.' },
);
