import { expect, test } from 'vitest';
import { billingSettingsOf } from './billing-variables.ts';
import { readEnvironment } from './environment.ts';

const complete = {
  STRIPE_SECRET_KEY: 'sk_live_51abc',
  STRIPE_WEBHOOK_SECRET: 'whsec_abc',
  STRIPE_PRICE_TEAM: 'price_team',
  STRIPE_PRICE_SEAT: 'price_seat',
  PUBLIC_URL: 'https://gemba.example',
};

function problemsOf(environment: Record<string, string>): string[] {
  const read = readEnvironment(environment);
  return read.ok ? [] : read.problems;
}

test('[BILL-2] the four settings of Stripe are read together, with the origins to which people return', () => {
  const read = readEnvironment({ ...complete, GEMBA_BILLING_ORIGINS: 'https://app.example,https://gemba.example' });
  expect(read.ok && billingSettingsOf(read.settings)).toEqual({
    secretKey: 'sk_live_51abc',
    webhookSecret: 'whsec_abc',
    teamPrices: ['price_team'],
    seatPrices: ['price_seat'],
    apiUrl: undefined,
    origins: ['https://gemba.example', 'https://app.example'],
  });
  const without = readEnvironment({});
  expect(without.ok && billingSettingsOf(without.settings)).toBeUndefined();
});

test('[BILL-2] what is missing or wrong is named, and no secret is repeated', () => {
  const { STRIPE_WEBHOOK_SECRET: _, ...part } = complete;
  expect(problemsOf(part)).toEqual([
    'STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_PRICE_TEAM, STRIPE_PRICE_SEAT must be set together; unset: STRIPE_WEBHOOK_SECRET',
  ]);
  expect(problemsOf({ ...complete, PUBLIC_URL: '' })).toEqual([
    'STRIPE_SECRET_KEY needs PUBLIC_URL or GEMBA_BILLING_ORIGINS, to which people return from Stripe',
  ]);
  expect(problemsOf({ ...complete, STRIPE_SECRET_KEY: 'pk_live_published' })).toEqual([
    'STRIPE_SECRET_KEY must be a secret or restricted key of Stripe, such as sk_live_…',
  ]);
  expect(problemsOf({ ...complete, STRIPE_PRICE_SEAT: 'price_team' })).toEqual([
    'STRIPE_PRICE_TEAM and STRIPE_PRICE_SEAT must not name a price twice',
  ]);
});

test('[BILL-36] the prices are lists, whose first one is offered, and name no price twice', () => {
  const listed = { STRIPE_PRICE_TEAM: 'price_new, price_old', STRIPE_PRICE_SEAT: 'price_seat,price_seat_old' };
  const read = readEnvironment({ ...complete, ...listed });
  expect(read.ok && billingSettingsOf(read.settings)).toMatchObject({
    teamPrices: ['price_new', 'price_old'],
    seatPrices: ['price_seat', 'price_seat_old'],
  });
  for (const text of ['price_a,', 'price_a;price_b', 'prod_a']) {
    expect(problemsOf({ ...complete, STRIPE_PRICE_TEAM: text })).toHaveLength(1);
  }
  for (const twice of ['price_team,price_seat', 'price_team,price_team']) {
    expect(problemsOf({ ...complete, STRIPE_PRICE_TEAM: twice })).toEqual([
      'STRIPE_PRICE_TEAM and STRIPE_PRICE_SEAT must not name a price twice',
    ]);
  }
});

test('[BILL-3] another place of the API is one of this machine, and takes a test key alone', () => {
  const trial = { ...complete, STRIPE_SECRET_KEY: 'sk_test_51abc' };
  const here = 'http://127.0.0.1:4010';
  expect(problemsOf({ ...trial, GEMBA_STRIPE_API: here })).toEqual([]);
  expect(problemsOf({ ...complete, GEMBA_STRIPE_API: here })).toEqual([
    'GEMBA_STRIPE_API takes a test key of Stripe alone',
  ]);
  expect(problemsOf({ GEMBA_STRIPE_API: here })).toEqual(['GEMBA_STRIPE_API needs STRIPE_SECRET_KEY']);
  for (const url of ['https://api.stripe.example', 'http://127.0.0.1.evil.example:80', 'http://127.0.0.1:1/path']) {
    expect(problemsOf({ ...trial, GEMBA_STRIPE_API: url })).toHaveLength(1);
  }
});
