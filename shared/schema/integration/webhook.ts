/** Webhooks: endpoints of other systems to which the server posts account events. */
import { Type, type Static } from 'typebox';
import { Closed, Described, Instant, Nullable, Text, Uuid } from '../fields.ts';
import { eventTypes } from './account-event.ts';

export const webhooksPerAccountMax = 20;
export const overlapHoursMax = 168;
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
    description: Described(Type.Optional(Text(descriptionLengthMax)), 'For people.'),
  },
  { title: 'NewWebhook', description: 'An endpoint of another system.' },
);
export type NewWebhook = Static<typeof NewWebhook>;

/** The body of `PATCH /webhooks/{id}`. */
export const WebhookPatch = Closed(
  {
    url: Type.Optional(WebhookUrl),
    types: Described(Type.Optional(Nullable(WebhookTypes)), 'null for all types.'),
    description: Type.Optional(Text(descriptionLengthMax)),
    status: Described(
      Type.Optional(Type.Enum(['active', 'disabled'], { expected: 'active or disabled' })),
      '`active` goes on where the endpoint stopped.',
    ),
    skip: Described(
      Type.Optional(Type.Boolean({ expected: 'true or false' })),
      'With `active`: leaves out the events until now.',
    ),
  },
  { title: 'WebhookPatch', description: 'What changes; the rest stays.' },
);
export type WebhookPatch = Static<typeof WebhookPatch>;

export const Webhook = Closed(
  {
    id: Described(Uuid, 'Its id.'),
    url: Described(WebhookUrl, 'Where events are posted.'),
    types: Described(Nullable(WebhookTypes), 'null for all types.'),
    description: Described(Type.String(), 'For people.'),
    status: Described(
      Type.Enum(['active', 'failing', 'disabled']),
      '`failing`: the last try of the next event failed. `disabled`: nothing is sent.',
    ),
    created_at: Instant,
    last_success_at: Described(Nullable(Instant), 'When an event was last taken.'),
    failing_since: Described(Nullable(Instant), 'null while it takes events.'),
    next_attempt_at: Described(Nullable(Instant), 'When the next event is tried again; null unless one failed.'),
    cursor: Described(Type.String(), 'Events up to here were delivered or set aside; `GET /events?after=` takes it.'),
  },
  { title: 'Webhook', description: 'An endpoint of another system.' },
);
export type Webhook = Static<typeof Webhook>;

export const NewWebhookResult = Closed(
  {
    webhook: Webhook,
    secret: Described(Type.String(), 'Signs the deliveries. It is not shown again.'),
  },
  { title: 'NewWebhookResult', description: 'A new endpoint and its secret.' },
);
export type NewWebhookResult = Static<typeof NewWebhookResult>;

export const WebhookList = Closed(
  { data: Described(Type.Array(Webhook), 'The endpoints, newest first.') },
  { title: 'WebhookList', description: 'All endpoints of the account.' },
);
