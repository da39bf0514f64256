/**
 * Reads the events of Stripe. Takes only ids and the event's time: events come in any order, and their other content
 * may be outdated.
 */
import type Stripe from 'stripe';
import type { CompletedCheckout, PaymentEventSubject, PaymentServiceEvent } from '../billing.ts';

export function toPaymentServiceEvent(event: Stripe.Event): PaymentServiceEvent {
  const { created, id } = event;
  return { created, id, subject: subjectOf(event) };
}

function subjectOf(event: Stripe.Event): PaymentEventSubject {
  if (event.type === 'checkout.session.completed') {
    const session = event.data.object;
    const completed = completedCheckoutOf(session);
    if (completed) return { kind: 'checkout', ...completed };
    // Other products of the operator have checkouts, too, whose metadata name no account.
    const isOurs = session.metadata?.['account_id'] !== undefined;
    return isOurs ? { kind: 'ambiguous_checkout', sessionId: session.id } : { kind: 'other' };
  }
  if (!event.type.startsWith('customer.subscription.')) return { kind: 'other' };
  const { id, customer } = event.data.object as Stripe.Subscription;
  return { kind: 'subscription', subscriptionId: id, customerId: idOf(customer) };
}

/** Returns undefined unless the session led to a subscription of one account. */
export function completedCheckoutOf(session: Stripe.Checkout.Session): CompletedCheckout | undefined {
  const { id: sessionId, subscription, customer, client_reference_id: accountId, metadata } = session;
  // Anyone can put a client_reference_id into the URL of a payment link. The metadata is the server's own.
  if (!subscription || !customer || accountId === null || metadata?.['account_id'] !== accountId) return undefined;
  return { sessionId, subscriptionId: idOf(subscription), customerId: idOf(customer), accountId };
}

const idOf = (object: string | { id: string }): string => (typeof object === 'string' ? object : object.id);
