/** The route to which Stripe posts its events. An event has Stripe's signature instead of a token. */
import { EventTaken, StripeEvent } from '../../../shared/schema/integration/billing.ts';
import { reportFailure } from '../../billing/alarms.ts';
import { BillingFailure, BillingRefused } from '../../billing/billing.ts';
import type { ServerBilling } from '../../billing/server-billing.ts';
import { takeEvent } from '../../billing/take-event.ts';
import { successReply } from '../../core/reply.ts';
import { route, type Route } from '../route.ts';
import type { RefusedReply, Reply } from '../route-reply.ts';

const eventBytesMax = 256 * 1024;

export function billingEventsRoute(billing: ServerBilling): Route {
  return route({
    method: 'POST',
    path: '/api/v1/billing/stripe/events',
    access: 'public',
    // Stripe signs the exact bytes of the body, so the handler gets them unparsed.
    binaryBody: 'application/json',
    bodyBytesMax: eventBytesMax,
    precheck: (header) => (header('Stripe-Signature') === undefined ? invalidSignatureRefusal : undefined),
    async handle({ body, header }) {
      const raw = body as Uint8Array;
      const event = billing.service.parse(raw, header('Stripe-Signature') ?? '', billing.world.now());
      if (!event) return invalidSignatureRefusal;
      return refuseIfPaymentFails(billing, async () => {
        const outcome = await takeEvent(billing, event);
        return outcome === 'foreign' ? customerMismatchRefusal : successReply(200, { received: true });
      });
    },
    docs: {
      operationId: 'takeStripeEvent',
      tag: 'Billing',
      summary: 'Take an event of Stripe',
      description:
        'Stripe posts here. The subscription that the event names is fetched, and what it says now becomes the plan and the seats of its account. Other events are taken and ignored.',
      unparsedBody: StripeEvent,
      response: { status: 200, description: 'The event need not come again.', schema: EventTaken },
      codes: ['signature_invalid', 'customer_mismatch', 'billing_unavailable', 'billing_refused'],
      examples: {},
    },
  });
}

/** Runs `work`, and turns a failure of the payment service into a refusal. */
export async function refuseIfPaymentFails(billing: ServerBilling, work: () => Promise<Reply>): Promise<Reply> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BillingFailure)) throw error;
    reportFailure(billing, error, {});
    return error instanceof BillingRefused ? stripeRefusal : unavailableRefusal;
  }
}

/**
 * This refusal has no `Retry-After`, since only the operator can correct the settings. Stripe repeats an event for
 * three days in any case.
 */
const stripeRefusal: RefusedReply = {
  ok: false,
  error: {
    code: 'billing_refused',
    detail: 'Stripe refuses what this server asks. The operator has to correct the settings.',
  },
};

const retryAfterSecs = 10;

const unavailableRefusal: RefusedReply = {
  ok: false,
  error: {
    code: 'billing_unavailable',
    detail: 'Stripe does not answer now; try again.',
    members: { retry_after_secs: retryAfterSecs },
  },
};

const invalidSignatureRefusal: RefusedReply = {
  ok: false,
  error: {
    code: 'signature_invalid',
    detail: 'Stripe-Signature is not a signature of these bytes, or it is older than 5 minutes.',
  },
};

const customerMismatchRefusal: RefusedReply = {
  ok: false,
  error: {
    code: 'customer_mismatch',
    detail: 'The subscription names an account that another customer has. Nothing was changed.',
  },
};
