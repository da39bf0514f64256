import { expect, test } from 'vitest';
import { emptyBillingRow, type BillingRow } from '../store/billing/billing-row.ts';
import type { Subscription } from './billing.ts';
import { nextBilling, rememberedEventsMax } from './next-billing.ts';
import { isFetchDue } from './sweep-billing.ts';

const now = '2026-04-01T00:00:00.000Z';
const later = (days: number): string => new Date(Date.parse(now) + days * 86_400_000).toISOString();
const active: Subscription = {
  id: 'sub_1',
  customerId: 'cus_1',
  accountId: undefined,
  standing: 'active',
  isFinal: false,
  hasTeam: true,
  seats: 4,
  unknownPrices: [],
  writtenSeats: '4',
  renewsAt: later(30),
};
const event = (created: number, id = `evt_${created}`) => ({ created, id });
const after = (before: BillingRow, subscription: Subscription, created: number): BillingRow =>
  nextBilling(before, subscription, { event: event(created), now }).row;

test('[BILL-19] the first answer binds the customer and gives the seats', () => {
  expect(
    nextBilling({ ...emptyBillingRow, session_id: 'cs_1' }, active, { event: event(7), sessionId: 'cs_1', now }),
  ).toEqual({
    row: {
      revision: 1,
      customer_id: 'cus_1',
      session_id: null,
      subscription_id: 'sub_1',
      other_subscription_id: null,
      status: 'active',
      is_final: false,
      seats: 4,
      renews_at: later(30),
      past_due_since: null,
      checked_at: now,
      events: [event(7)],
    },
    account: { plan: 'team', additional_seats: 4 },
  });
});

test('[BILL-24] an answer without news leaves the account, and each answer raises the revision', () => {
  const row = after(emptyBillingRow, active, 1);
  const repeated = nextBilling(row, active, { event: event(1), now });
  const swept = nextBilling(row, active, { now });
  expect([repeated.account, swept.account]).toEqual([undefined, undefined]);
  expect([repeated.row.revision, swept.row.revision]).toEqual([2, 2]);
  expect(nextBilling(row, active, { event: event(2), now }).account).toEqual({ plan: 'team', additional_seats: 4 });
  const more = nextBilling(row, { ...active, seats: 5 }, { event: event(1), now });
  expect(more.account).toEqual({ plan: 'team', additional_seats: 5 });
});

test('[BILL-24] the newest events are remembered in order, and one that is older than all of them is no news', () => {
  let row = emptyBillingRow;
  for (let created = rememberedEventsMax + 10; created > 0; created--) row = after(row, active, created);
  const oldest = 11;
  expect(row.events).toHaveLength(rememberedEventsMax);
  expect(row.events[0]).toEqual(event(oldest));
  expect(row.events.at(-1)).toEqual(event(rememberedEventsMax + 10));
  expect(nextBilling(row, active, { event: event(3), now }).account).toBeUndefined();
  expect(nextBilling(row, active, { event: event(oldest, 'evt_other'), now }).account).toBeDefined();
});

test('[BILL-21] the days without a payment count from when it was first seen to be missing', () => {
  const pastDue: Subscription = { ...active, standing: 'past_due' };
  const row = after(after(emptyBillingRow, active, 1), pastDue, 2);
  expect(row).toMatchObject({ status: 'past_due', seats: 4, past_due_since: now });
  const at = (days: number) => nextBilling(row, pastDue, { now: later(days) });
  expect(at(13.99)).toMatchObject({ row: { status: 'past_due', past_due_since: now } });
  expect(at(13.99).account).toBeUndefined();
  expect(at(14)).toMatchObject({ row: { status: 'ended', seats: 0 }, account: { plan: 'free', additional_seats: 0 } });
  expect(nextBilling(at(14).row, active, { now: later(15) })).toMatchObject({
    row: { status: 'active', past_due_since: null },
    account: { plan: 'team', additional_seats: 4 },
  });
  const other = nextBilling(row, { ...pastDue, id: 'sub_2' }, { now: later(20) });
  expect(other.row).toMatchObject({ status: 'past_due', past_due_since: later(20) });
});

test('[BILL-32] a subscription is due after 6 hours, or once its time without a payment is over', () => {
  const row = after(emptyBillingRow, active, 1);
  expect([isFetchDue(row, later(0.249)), isFetchDue(row, later(0.25))]).toEqual([false, true]);
  expect(isFetchDue({ ...row, is_final: true }, later(30))).toBe(false);
  const pastDue = { ...row, status: 'past_due' as const, past_due_since: later(-14), checked_at: later(-0.1) };
  expect([isFetchDue(pastDue, now), isFetchDue({ ...pastDue, checked_at: now }, later(0.1))]).toEqual([true, false]);
  const followed = { ...row, is_final: true, other_subscription_id: 'sub_2' };
  expect([isFetchDue(followed, later(0.1)), isFetchDue(followed, later(0.25))]).toEqual([false, true]);
});

test('[BILL-43] unclear prices keep the plan and the seats of the same subscription, and news of them is none', () => {
  const row = after(emptyBillingRow, active, 1);
  const unclear: Subscription = { ...active, hasTeam: null, seats: null, unknownPrices: ['price_x'] };
  const kept = nextBilling(row, unclear, { event: event(2), now });
  expect(kept).toEqual({ row: expect.objectContaining({ status: 'active', seats: 4 }) });
  const pastDue = nextBilling(kept.row, { ...unclear, standing: 'past_due' }, { event: event(3), now });
  expect(pastDue.row).toMatchObject({ status: 'past_due', seats: 4 });
  expect(nextBilling(pastDue.row, { ...unclear, standing: 'past_due' }, { now: later(14) })).toMatchObject({
    row: { status: 'ended' },
    account: { plan: 'free', additional_seats: 0 },
  });
  const more = nextBilling(row, { ...unclear, seats: 6 }, { event: event(2), now });
  expect(more.account).toEqual({ plan: 'team', additional_seats: 6 });
  expect(nextBilling(row, { ...unclear, standing: 'ended' }, { event: event(2), now }).account?.plan).toBe('free');
});

test('[BILL-43] a first subscription of unclear prices gives nothing, and is the one of the account', () => {
  const unclear: Subscription = { ...active, hasTeam: null, unknownPrices: ['price_x'] };
  const next = nextBilling(emptyBillingRow, unclear, { event: event(1), sessionId: 'cs_1', now });
  expect(next).toEqual({ row: expect.objectContaining({ status: 'none', subscription_id: 'sub_1', seats: 0 }) });
  const cleared = nextBilling(next.row, active, { now });
  expect(cleared.account).toEqual({ plan: 'team', additional_seats: 4 });
});

test('[BILL-45] an answer ends the checkout that led to it, and no other', () => {
  const row = { ...emptyBillingRow, session_id: 'cs_2', other_subscription_id: 'sub_1' };
  const old = nextBilling(row, active, { event: event(1), sessionId: 'cs_1', now });
  expect(old.row).toMatchObject({ session_id: 'cs_2', other_subscription_id: null });
  expect(nextBilling(row, active, { event: event(1), now }).row.session_id).toBe('cs_2');
  expect(nextBilling(row, active, { event: event(1), sessionId: 'cs_2', now }).row.session_id).toBeNull();
});

test('[BILL-37] seats that the account asks for count as news, since the operator may have set others', () => {
  const row = after(emptyBillingRow, active, 1);
  expect(nextBilling(row, active, { isRequested: true, now }).account).toEqual({ plan: 'team', additional_seats: 4 });
});
