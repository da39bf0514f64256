/**
 * Decides the plan and the seats of an account after an answer of the payment service.
 *
 *   none ── paid ──► active ── payment fails ──► past_due ── 14 days ──► ended
 *                     ▲ │                          │ │                     ▲
 *                     │ └── canceled, unpaid ──────┼─┴─────────────────────┘
 *                     └────────── paid ────────────┘
 */
import type { Plan } from '../../shared/schema/account.ts';
import type { BillingEvent, BillingRow } from '../store/billing/billing-row.ts';
import type { Subscription } from './billing.ts';

export interface BillingChange {
  row: BillingRow;
  /** Absent if the account keeps its plan and seats, which the operator may have set. */
  account?: { plan: Plan; additional_seats: number };
}

export const pastDueDaysMax = 14;
const dayMs = 86_400_000;
/** Enough to recognize repeats: Stripe repeats an event for three days, and an account has a few events a month. */
export const rememberedEventsMax = 50;

/** The reason why billing is decided again. The periodic sweep sets no field. */
export interface BillingCause {
  event?: BillingEvent | undefined;
  /** The checkout that was completed. */
  sessionId?: string | undefined;
  /** True if the account has just set its seats by a request to this server. */
  isRequested?: boolean | undefined;
}

export function nextBilling(
  before: BillingRow,
  subscription: Subscription,
  { event, sessionId, isRequested = false, now }: BillingCause & { now: string },
): BillingChange {
  const isSame = before.subscription_id === subscription.id;
  const past_due_since = pastDueSinceOf(isSame ? before.past_due_since : null, subscription, now);
  const status = statusOf(subscription, { hadTeam: isSame && before.status !== 'none', past_due_since, now });
  const isPaid = status === 'active' || status === 'past_due';
  const row: BillingRow = {
    ...withoutCheckout(before, { sessionId, subscriptionId: subscription.id }),
    revision: before.revision + 1,
    customer_id: subscription.customerId,
    subscription_id: subscription.id,
    status,
    is_final: subscription.isFinal,
    seats: isPaid ? (subscription.seats ?? (isSame ? before.seats : 0)) : 0,
    renews_at: isPaid ? subscription.renewsAt : null,
    past_due_since,
    checked_at: now,
    events: event ? withEvent(before.events, event) : before.events,
  };
  const isNews = isRequested || (event !== undefined && !isRemembered(before.events, event));
  const isChanged = status !== before.status || row.seats !== before.seats;
  if (status === 'none' || !(isChanged || (isNews && !(isPaid && hasUnclearPrices(subscription))))) return { row };
  return { row, account: { plan: isPaid ? 'team' : 'free', additional_seats: row.seats } };
}

/**
 * Removes the completed checkout from the row, and the subscription as the account's other subscription. Keeps another
 * checkout, which may still be open.
 */
export function withoutCheckout(
  row: BillingRow,
  { sessionId, subscriptionId }: { sessionId?: string | undefined; subscriptionId: string },
): BillingRow {
  return {
    ...row,
    session_id: row.session_id === sessionId ? null : row.session_id,
    other_subscription_id: row.other_subscription_id === subscriptionId ? null : row.other_subscription_id,
  };
}

/** Returns true if an unknown price may be a team or seat price. A paying account then keeps its plan or seats. */
export function hasUnclearPrices({ hasTeam, seats }: Subscription): boolean {
  return hasTeam === null || seats === null;
}

/** Returns true if the payment has been due for 14 days or longer. */
export function hasLapsed(since: string | null, now: string): boolean {
  return since !== null && Date.parse(now) - Date.parse(since) >= pastDueDaysMax * dayMs;
}

function pastDueSinceOf(before: string | null, { standing }: Subscription, now: string): string | null {
  return standing === 'past_due' ? (before ?? now) : null;
}

function statusOf(
  { standing, hasTeam }: Subscription,
  { hadTeam, past_due_since, now }: { hadTeam: boolean; past_due_since: string | null; now: string },
): BillingRow['status'] {
  if (hasTeam === false || standing === 'ended' || hasLapsed(past_due_since, now)) return 'ended';
  if (hasTeam === null && !hadTeam) return 'none';
  return standing === 'incomplete' ? 'none' : standing;
}

const compareEvents = (a: BillingEvent, b: BillingEvent): number => a.created - b.created || (a.id < b.id ? -1 : 1);

/** Returns true if the list has the event, or if the list is full and has only newer events. */
function isRemembered(events: BillingEvent[], event: BillingEvent): boolean {
  const [oldest] = events;
  const isBeforeAll = oldest !== undefined && events.length >= rememberedEventsMax && compareEvents(event, oldest) < 0;
  return isBeforeAll || events.some(({ id }) => id === event.id);
}

function withEvent(events: BillingEvent[], { created, id }: BillingEvent): BillingEvent[] {
  if (isRemembered(events, { created, id })) return events;
  return [...events, { created, id }].toSorted(compareEvents).slice(-rememberedEventsMax);
}
