/** Billing: what an account pays for, and the pages of the payment service. */
import { Type, type Static } from 'typebox';
import { Plan } from '../account.ts';
import { Closed, Described, Instant, Nullable } from '../fields.ts';

export const checkoutSeatsMax = 10_000;
const urlLengthMax = 2_000;

const ReturnUrl = Type.String({
  minLength: 1,
  maxLength: urlLengthMax,
  expected: `a URL of at most ${urlLengthMax} characters`,
});

const AdditionalSeats = Described(
  Type.Integer({
    minimum: 0,
    maximum: checkoutSeatsMax,
    expected: `an integer from 0 to ${checkoutSeatsMax}`,
  }),
  'The seats in addition to the one that the team plan includes.',
);

/** The body of `POST /billing/checkout`. */
export const NewCheckout = Closed(
  {
    additional_seats: AdditionalSeats,
    success_url: Described(
      ReturnUrl,
      'The page to which a person returns after the payment. The operator must allow its origin.',
    ),
    cancel_url: Described(
      ReturnUrl,
      'The page to which a person returns without a payment. The operator must allow its origin, too.',
    ),
  },
  { title: 'NewCheckout', description: 'A checkout of the team plan.' },
);
export type NewCheckout = Static<typeof NewCheckout>;

export const CheckoutResult = Closed(
  {
    url: Described(Type.String(), 'The page on which a person pays.'),
    expires_at: Described(Instant, 'When the page expires.'),
  },
  { title: 'CheckoutResult', description: 'A checkout that has begun.' },
);
export type CheckoutResult = Static<typeof CheckoutResult>;

/** The body of `PATCH /billing`. */
export const SeatChange = Closed(
  { additional_seats: AdditionalSeats },
  { title: 'SeatChange', description: 'How many additional seats the subscription has from now on.' },
);

/** The body of `POST /billing/portal`. */
export const PortalRequest = Closed(
  { return_url: Described(Type.Optional(ReturnUrl), 'Where the link back leads. Default: what is set at Stripe.') },
  { title: 'PortalRequest', description: 'A visit to the pages of the subscription.' },
);

export const PortalResult = Closed(
  { url: Described(Type.String(), 'The page on which a person changes the subscription. It is short-lived.') },
  { title: 'PortalResult', description: 'The pages of the subscription.' },
);

export const BillingOverview = Closed(
  {
    provider: Described(Type.Enum(['stripe']), 'Who takes the payments.'),
    status: Described(
      Type.Enum(['none', 'active', 'past_due', 'ended']),
      '`past_due`: a payment is missing, and the account is a team for 14 days more.',
    ),
    plan: Described(Plan, 'The present plan of the account, which the operator may have set.'),
    additional_seats: Described(Type.Integer({ minimum: 0 }), 'The seats in addition to those that the plan includes.'),
    phones_max: Described(
      Nullable(Type.Integer({ minimum: 1 })),
      'How many phones may be paired at once; null means no limit.',
    ),
    phones_paired: Described(Type.Integer({ minimum: 0 }), 'How many phones are paired. Each takes a seat.'),
    renews_at: Described(Nullable(Instant), 'When the subscription renews; null if it does not.'),
  },
  { title: 'BillingOverview', description: 'The subscription of an account, and its present plan and seats.' },
);
export type BillingOverview = Static<typeof BillingOverview>;

/** The body of `POST /billing/stripe/events`. Only its signature is checked, so that Stripe may add fields. */
export const StripeEvent = Type.Object(
  {
    id: Described(Type.String(), 'The id of the event, the same at each repetition.'),
    type: Described(Type.String(), 'The type of the event, such as `customer.subscription.updated`.'),
    created: Described(Type.Integer(), 'When it happened, in seconds since 1970.'),
    data: Described(Type.Object({}, { additionalProperties: true }), 'The object that changed.'),
  },
  { title: 'StripeEvent', description: 'An event, as Stripe sends it.', additionalProperties: true },
);

export const EventTaken = Closed(
  { received: Described(Type.Boolean(), 'Always true.') },
  {
    title: 'EventTaken',
    description: 'A confirmation that the event was accepted, so that Stripe does not repeat it.',
  },
);
