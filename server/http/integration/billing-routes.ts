/** The billing routes, which need a token of the account. They exist only on a server with a payment service. */
import { validationRefusal } from '../../../shared/domain/outcome.ts';
import {
  BillingOverview,
  CheckoutResult,
  NewCheckout,
  PortalRequest,
  PortalResult,
  SeatChange,
} from '../../../shared/schema/integration/billing.ts';
import { beginCheckout } from '../../billing/begin-checkout.ts';
import { loadBillingOverview } from '../../billing/billing-overview.ts';
import { changeSeats } from '../../billing/change-seats.ts';
import type { ServerBilling } from '../../billing/server-billing.ts';
import { openPortal } from '../../billing/open-portal.ts';
import { isReturnUrl } from '../../billing/return-url.ts';
import { successReply } from '../../core/reply.ts';
import { parseIdempotency, parseSealedIdempotency } from '../routes/mutation/idempotency-key.ts';
import { route, type Route } from '../route.ts';
import type { RefusedReply } from '../route-reply.ts';
import { refuseIfPaymentFails } from './billing-events-route.ts';

export function billingRoutes(billing: ServerBilling): Route[] {
  const { world, origins } = billing;
  return [
    route({
      method: 'GET',
      path: '/api/v1/billing',
      access: ['read'],
      handle: async ({ caller }) => successReply(200, await loadBillingOverview(billing, caller.accountId)),
      docs: {
        operationId: 'getBilling',
        tag: 'Billing',
        summary: 'Get what is paid for',
        description: 'The subscription of the account, and the plan and seats that it has.',
        response: { status: 200, description: 'The billing.', schema: BillingOverview },
        examples: { plain: { summary: 'Before the first checkout' } },
      },
    }),

    route({
      method: 'PATCH',
      path: '/api/v1/billing',
      access: ['admin'],
      body: SeatChange,
      async handle(request) {
        const parsedKey = parseIdempotency(request, ['change_seats']);
        if (!parsedKey.ok) return parsedKey;
        const { idempotency } = parsedKey;
        const { caller, body } = request;
        return refuseIfPaymentFails(billing, () =>
          changeSeats(billing, { requester: caller, idempotency }, body.additional_seats),
        );
      },
      docs: {
        operationId: 'changeSeats',
        tag: 'Billing',
        summary: 'Change the seats',
        description:
          'Sets how many additional seats the subscription has. Stripe charges or credits the difference as the operator set it there. Fewer seats unpair no phone.',
        response: { status: 200, description: 'The billing, as Stripe says now.', schema: BillingOverview },
        codes: ['not_subscribed', 'billing_unavailable', 'billing_refused'],
        idempotency: 'key',
        examples: { plain: { summary: 'Five additional seats', body: { additional_seats: 5 } } },
      },
    }),

    route({
      method: 'POST',
      path: '/api/v1/billing/checkout',
      access: ['admin'],
      body: NewCheckout,
      async handle(request) {
        const { success_url, cancel_url } = request.body;
        const refused = urlRefusal({ success_url, cancel_url }, origins);
        if (refused) return refused;
        const parsedKey = parseSealedIdempotency(request, ['begin_checkout'], world);
        if (!parsedKey.ok) return parsedKey;
        const { idempotency } = parsedKey;
        const { caller, body } = request;
        return refuseIfPaymentFails(billing, () => beginCheckout(billing, { requester: caller, idempotency }, body));
      },
      docs: {
        operationId: 'beginCheckout',
        tag: 'Billing',
        summary: 'Begin a checkout',
        description:
          'Makes a page of Stripe on which a person pays for the team plan and its additional seats. The account changes once Stripe says so: `account.changed`. A checkout that was begun before ends.',
        response: { status: 201, description: 'The checkout.', schema: CheckoutResult },
        codes: ['already_subscribed', 'billing_unavailable', 'billing_refused'],
        idempotency: 'key',
        examples: {
          plain: {
            summary: 'A team with three more seats',
            body: {
              additional_seats: 3,
              success_url: 'https://gemba.example/paid',
              cancel_url: 'https://gemba.example/plans',
            },
          },
        },
      },
    }),

    route({
      method: 'POST',
      path: '/api/v1/billing/portal',
      access: ['admin'],
      body: PortalRequest,
      async handle(request) {
        const { return_url } = request.body;
        const refused = urlRefusal({ return_url }, origins);
        if (refused) return refused;
        const parsedKey = parseSealedIdempotency(request, ['open_portal'], world);
        if (!parsedKey.ok) return parsedKey;
        const { idempotency } = parsedKey;
        const { caller } = request;
        return refuseIfPaymentFails(billing, () => openPortal(billing, { requester: caller, idempotency }, return_url));
      },
      docs: {
        operationId: 'openPortal',
        tag: 'Billing',
        summary: 'Open the pages of the subscription',
        description: 'Makes a page of Stripe on which a person changes the payment, or cancels.',
        response: { status: 200, description: 'The page.', schema: PortalResult },
        codes: ['not_subscribed', 'billing_unavailable', 'billing_refused'],
        idempotency: 'key',
        examples: {},
      },
    }),
  ];
}

function urlRefusal(urls: Record<string, string | undefined>, origins: readonly string[]): RefusedReply | undefined {
  const errors = Object.entries(urls)
    .filter(([, url]) => url !== undefined && !isReturnUrl(url, origins))
    .map(([field]) => ({ path: `/${field}`, message: `must be a URL of ${origins.join(' or ')}` }));
  return errors.length > 0 ? validationRefusal(errors) : undefined;
}
