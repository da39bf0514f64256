/** Billing by Stripe. Its package is optional, so it is loaded only where Stripe is set. */
import type Stripe from 'stripe';
import { BillingUnavailable, type Billing, type ServiceEvent, type SubscriptionRef } from './billing.ts';
import { readSubscription, type Prices } from './stripe-subscription.ts';

export interface StripeSettings extends Prices {
  secretKey: string;
  webhookSecret: string;
  /** The place of Stripe's API, for tests. Default: at Stripe. */
  apiUrl?: string | undefined;
  timeoutMs?: number;
}

/** The version whose fields this file reads. Stripe would otherwise answer in the version that the account is set to. */
const apiVersion = '2026-10-28.endive';
const timeoutMsDefault = 10_000;
const signatureAgeSecsMax = 5 * 60;

export async function openStripe({ timeoutMs = timeoutMsDefault, ...settings }: StripeSettings): Promise<Billing> {
  const { default: StripeClient } = await loadStripe();
  const { secretKey, webhookSecret, priceTeam, priceSeat, apiUrl } = settings;
  const stripe = new StripeClient(secretKey, {
    apiVersion,
    timeout: timeoutMs,
    // Stripe repeats its events and clients their requests, so none waits for a second try here.
    maxNetworkRetries: 0,
    telemetry: false,
    ...(apiUrl === undefined ? {} : placeOf(apiUrl)),
  });

  /** Turns each failure of Stripe into one error, whose message is for the log. */
  const call = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StripeClient.errors.StripeError)) throw error;
      throw new BillingUnavailable(`Stripe: ${error.message}`, { cause: error });
    }
  };
  /** Returns undefined if Stripe refuses what was asked for, such as an id that is unknown. */
  const callUnlessRefused = <Result>(work: () => Promise<Result>): Promise<Result | undefined> =>
    call(() =>
      work().catch((error: unknown) => {
        if (error instanceof StripeClient.errors.StripeInvalidRequestError) return undefined;
        throw error;
      }),
    );

  /** Returns undefined if Stripe knows no such id. Another refusal, such as that of a key of another mode, is none of the id. */
  const callIfThere = <Result>(work: () => Promise<Result>): Promise<Result | undefined> =>
    call(() =>
      work().catch((error: unknown) => {
        if (error instanceof StripeClient.errors.StripeError && error.code === 'resource_missing') return undefined;
        throw error;
      }),
    );

  return {
    provider: 'stripe',
    checkout: ({ accountId, customerId, seats, successUrl, cancelUrl, key }) =>
      call(async () => {
        const metadata = { account_id: accountId, additional_seats: String(seats) };
        const session = await stripe.checkout.sessions.create(
          {
            mode: 'subscription',
            line_items: [
              { price: priceTeam, quantity: 1 },
              ...(seats > 0 ? [{ price: priceSeat, quantity: seats }] : []),
            ],
            client_reference_id: accountId,
            metadata,
            subscription_data: { metadata },
            success_url: successUrl,
            cancel_url: cancelUrl,
            ...(customerId === null ? {} : { customer: customerId }),
          },
          { idempotencyKey: key },
        );
        if (session.url === null) throw new BillingUnavailable('Stripe: the checkout has no URL');
        return { sessionId: session.id, url: session.url, expiresAt: isoTime(session.expires_at) };
      }),

    async expireCheckout(sessionId) {
      const expired = await callUnlessRefused(() => stripe.checkout.sessions.expire(sessionId));
      if (expired) return true;
      const session = await callUnlessRefused(() => stripe.checkout.sessions.retrieve(sessionId));
      return session?.status !== 'complete';
    },

    portal: (customerId, { returnUrl, key }) =>
      call(async () => {
        const visit = { customer: customerId, ...(returnUrl === undefined ? {} : { return_url: returnUrl }) };
        return (await stripe.billingPortal.sessions.create(visit, { idempotencyKey: key })).url;
      }),

    parse(raw, signature, now) {
      try {
        const { webhooks } = stripe;
        return serviceEvent(
          webhooks.constructEvent(Buffer.from(raw), signature, webhookSecret, signatureAgeSecsMax, undefined, now),
        );
      } catch (error) {
        const isNoJson = error instanceof SyntaxError;
        if (isNoJson || error instanceof StripeClient.errors.StripeSignatureVerificationError) return undefined;
        throw error;
      }
    },

    async fetch(subscriptionId) {
      const found = await callIfThere(() => stripe.subscriptions.retrieve(subscriptionId));
      return found && readSubscription(found, { priceTeam, priceSeat });
    },

    writeSeats: (subscriptionId, seats) =>
      call(async () => {
        await stripe.subscriptions.update(subscriptionId, { metadata: { additional_seats: String(seats) } });
      }),
  };
}

function loadStripe(): Promise<typeof import('stripe')> {
  return import('stripe').catch((error: unknown) => {
    throw new Error(
      'STRIPE_SECRET_KEY is set, and the package stripe is not installed: run npm ci without --omit=optional',
      { cause: error },
    );
  });
}

function placeOf(url: string): { protocol: 'http'; host: string; port: string } {
  const { hostname, port } = new URL(url);
  return { protocol: 'http', host: hostname, port };
}

const isoTime = (secs: number): string => new Date(secs * 1000).toISOString();

function serviceEvent(event: Stripe.Event): ServiceEvent {
  const { created, id } = event;
  return { created, id, subject: subjectOf(event) };
}

/** Only ids are read, since events come in any order: what they say may be over. */
function subjectOf(event: Stripe.Event): SubscriptionRef | undefined {
  if (event.type === 'checkout.session.completed') {
    const { subscription, customer, client_reference_id: accountId, metadata } = event.data.object;
    // Anyone can put a client_reference_id into the URL of a payment link. The metadata is the server's own.
    if (!subscription || !customer || accountId === null || metadata?.['account_id'] !== accountId) return undefined;
    return { subscriptionId: idOf(subscription), customerId: idOf(customer), accountId };
  }
  if (!event.type.startsWith('customer.subscription.')) return undefined;
  const { id, customer } = event.data.object as Stripe.Subscription;
  return { subscriptionId: id, customerId: idOf(customer) };
}

const idOf = (object: string | { id: string }): string => (typeof object === 'string' ? object : object.id);
