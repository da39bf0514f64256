/**
 * Implements the payment service by Stripe. Stripe's package is optional, so it is loaded only if Stripe is configured.
 */
import { isDeepStrictEqual } from 'node:util';
import type Stripe from 'stripe';
import { BillingRefused, BillingUnavailable, type PaymentService } from '../billing.ts';
import { createStripeCalls } from './stripe-calls.ts';
import { completedCheckoutOf, toPaymentServiceEvent } from './stripe-events.ts';
import { readSubscription, seatChangesOf, type StripePrices } from './stripe-subscription.ts';

export interface StripeSettings extends StripePrices {
  secretKey: string;
  webhookSecret: string;
  /** The URL of Stripe's API, for tests. Default: Stripe's own. */
  apiUrl?: string | undefined;
  timeoutMs?: number;
}

/** The API version whose fields these files read. By default, Stripe uses the version of the operator's account. */
const apiVersion = '2026-10-28.endive';
const timeoutMsDefault = 10_000;
/** Stripe's package collects at most this many objects into one list. */
const completedCheckoutsMax = 10_000;
const signatureAgeSecsMax = 5 * 60;

export async function openStripe({
  timeoutMs = timeoutMsDefault,
  ...settings
}: StripeSettings): Promise<PaymentService> {
  const { default: StripeClient } = await loadStripe();
  const { secretKey, webhookSecret, apiUrl, ...prices } = settings;
  const [teamPrice, seatPrice] = [prices.teamPrices[0]!, prices.seatPrices[0]!];
  const stripe = new StripeClient(secretKey, {
    apiVersion,
    timeout: timeoutMs,
    // Clients repeat their requests, and Stripe repeats its events, so the package need not retry.
    maxNetworkRetries: 0,
    telemetry: false,
    ...(apiUrl === undefined ? {} : apiAddressOf(apiUrl)),
  });
  const { call, callIfKnown, callOnce } = createStripeCalls(StripeClient.errors);
  const { sessions } = stripe.checkout;
  /**
   * Returns true if Stripe says that the customer was deleted. With a key of the wrong mode, Stripe does not know the
   * customer, and this returns false.
   */
  const isDeleted = async (customerId: string): Promise<boolean> =>
    (await callIfKnown(() => stripe.customers.retrieve(customerId)))?.deleted === true;

  return {
    provider: 'stripe',

    async checkout({ accountId, customerId, seats, successUrl, cancelUrl, key }) {
      const metadata = { account_id: accountId, additional_seats: String(seats) };
      const order = {
        mode: 'subscription' as const,
        line_items: [{ price: teamPrice, quantity: 1 }, ...(seats > 0 ? [{ price: seatPrice, quantity: seats }] : [])],
        client_reference_id: accountId,
        metadata,
        subscription_data: { metadata },
        success_url: successUrl,
        cancel_url: cancelUrl,
        ...(customerId === null ? {} : { customer: customerId }),
      };
      const begun = callOnce({
        key,
        send: (options) => sessions.create(order, options),
        // Stripe answers a repeated key with the stored answer to the first request. The session in that answer may
        // have ended meanwhile.
        isCurrent: async ({ id }) => (await sessions.retrieve(id)).status === 'open',
      });
      const session = await begun.catch(async (error: unknown) => {
        if (customerId === null || !isUnknownIdError(error) || !(await isDeleted(customerId))) throw error;
        return undefined;
      });
      if (!session) return 'customer_deleted';
      if (session.url === null) throw new BillingUnavailable('Stripe: the checkout has no URL');
      return { sessionId: session.id, url: session.url, expiresAt: isoTime(session.expires_at) };
    },

    async completedCheckouts(since) {
      const found = sessions.list({ status: 'complete', created: { gte: Math.floor(since / 1000) }, limit: 100 });
      const completed = await call(() => found.autoPagingToArray({ limit: completedCheckoutsMax }));
      return completed.flatMap((session) => completedCheckoutOf(session) ?? []);
    },

    async endCheckout(sessionId) {
      const refused = await call(() => sessions.expire(sessionId)).then(() => undefined, refusalOf);
      if (!refused) return undefined;
      const session = await callIfKnown(() => sessions.retrieve(sessionId));
      // The session may stay open, so no other checkout may begin.
      if (session?.status === 'open') throw refused;
      return session?.status === 'complete' ? completedCheckoutOf(session) : undefined;
    },

    async portal(customerId, { returnUrl, key }) {
      const visit = { customer: customerId, ...(returnUrl === undefined ? {} : { return_url: returnUrl }) };
      return (await callOnce({ key, send: (options) => stripe.billingPortal.sessions.create(visit, options) })).url;
    },

    async changeSeats(subscriptionId, { seats, key }) {
      let items: Stripe.SubscriptionUpdateParams.Item[] | undefined;
      const read = async () => {
        const subscription = await stripe.subscriptions.retrieve(subscriptionId);
        const { isFinal, unknownPrices } = readSubscription(subscription, prices);
        return { subscription, unknownPrices, items: isFinal ? [] : seatChangesOf(subscription, seats, prices) };
      };
      await callOnce({
        key,
        // Each attempt reads the subscription again, since a failed attempt may have changed it.
        async send(options) {
          const found = await read();
          ({ items } = found);
          if (!items) throw unclearSeatsRefusal(found.unknownPrices);
          if (items.length === 0) return found.subscription;
          const metadata = { additional_seats: String(seats) };
          return stripe.subscriptions.update(subscriptionId, { items, metadata }, options);
        },
        // Another request may have added the item, or deleted it, in the meantime.
        isOvertaken: async () => !isDeepStrictEqual(items, (await read()).items),
      });
    },

    parse(raw, signature, now) {
      try {
        const { webhooks } = stripe;
        return toPaymentServiceEvent(
          webhooks.constructEvent(Buffer.from(raw), signature, webhookSecret, signatureAgeSecsMax, undefined, now),
        );
      } catch (error) {
        const isNoJson = error instanceof SyntaxError;
        if (isNoJson || error instanceof StripeClient.errors.StripeSignatureVerificationError) return undefined;
        throw error;
      }
    },

    async fetch(subscriptionId) {
      const found = await callIfKnown(() => stripe.subscriptions.retrieve(subscriptionId));
      return found && readSubscription(found, prices);
    },

    async writeSeats(subscriptionId, seats) {
      const metadata = { additional_seats: String(seats) };
      await call(() => stripe.subscriptions.update(subscriptionId, { metadata }));
    },
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

function apiAddressOf(url: string): { protocol: 'http'; host: string; port: string } {
  const { hostname, port } = new URL(url);
  return { protocol: 'http', host: hostname, port };
}

const isUnknownIdError = (error: unknown): boolean =>
  error instanceof BillingRefused && error.code === 'resource_missing';

const isoTime = (secs: number): string => new Date(secs * 1000).toISOString();

/** Returns Stripe's refusal to end a session, which is unknown or no longer open. Throws any other error. */
function refusalOf(error: unknown): BillingRefused {
  if (error instanceof BillingRefused) return error;
  throw error;
}

/**
 * The refusal to add an item of seats next to an unknown price. If the unknown price were a seat price, the customer
 * would pay twice for the seats.
 */
function unclearSeatsRefusal(unknownPrices: string[]): BillingRefused {
  const message = `${unknownPrices.join(', ')} is in no setting, and may be a price of seats`;
  return new BillingRefused(message, { code: 'unknown_price', alarm: 'unknown_price' });
}
