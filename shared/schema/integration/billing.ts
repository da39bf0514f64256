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
  'Seats beyond the one that the team plan includes.',
);

/** The body of `POST /billing/checkout`. */
export const NewCheckout = Closed(
  {
    additional_seats: AdditionalSeats,
    success_url: Described(
      ReturnUrl,
      'Where the person goes after the payment. Its origin is one that the operator allows.',
    ),
    cancel_url: Described(ReturnUrl, 'Where the person goes without a payment. The origin rule is the same.'),
  },
  { title: 'NewCheckout', description: 'A checkout of the team plan.' },
);
export type NewCheckout = Static<typeof NewCheckout>;

export const CheckoutResult = Closed(
  {
    url: Described(Type.String(), 'The page on which a person pays.'),
    expires_at: Described(Instant, 'Until when.'),
  },
  { title: 'CheckoutResult', description: 'A checkout that was begun.' },
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
    plan: Described(Plan, 'What the account has, which the operator may have set.'),
    additional_seats: Described(Type.Integer({ minimum: 0 }), 'Seats beyond those that the plan includes.'),
    phones_max: Described(
      Nullable(Type.Integer({ minimum: 1 })),
      'How many phones may be paired at once; null is no limit.',
    ),
    phones_paired: Described(Type.Integer({ minimum: 0 }), 'How many phones are paired. Each takes a seat.'),
    renews_at: Described(Nullable(Instant), 'When the subscription renews; null if it does not.'),
  },
  { title: 'BillingOverview', description: 'What an account pays for, and what it has.' },
);
export type BillingOverview = Static<typeof BillingOverview>;

/** The body of `POST /billing/stripe/events`. Only its signature is checked, so that Stripe may add fields. */
export const StripeEvent = Type.Object(
  {
    id: Described(Type.String(), 'Names the event, also when it comes again.'),
    type: Described(Type.String(), 'Such as `customer.subscription.updated`.'),
    created: Described(Type.Integer(), 'When it happened, in seconds since 1970.'),
    data: Described(Type.Object({}, { additionalProperties: true }), 'The object that it is about.'),
  },
  { title: 'StripeEvent', description: 'An event, as Stripe sends it.', additionalProperties: true },
);

export const EventTaken = Closed(
  { received: Described(Type.Boolean(), 'Always true.') },
  { title: 'EventTaken', description: 'The event was taken, and need not come again.' },
);
