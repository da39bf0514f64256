/**
 * The environment variables of billing. The server has billing only if Stripe's key, webhook secret and both lists of
 * prices are set. To set only some of them is an error.
 */
import type { BillingSettings } from './billing/server-billing.ts';
import { parseOrigins } from './http/web/cors.ts';
import { createPatternParser, type EnvironmentVariable } from './setting-parsers.ts';

export interface BillingVariables {
  stripeSecretKey: string | undefined;
  stripeWebhookSecret: string | undefined;
  /**
   * The ids of Stripe's prices, in two lists. A new subscription gets the first price of each list. A subscription with
   * another price of the lists stays valid.
   */
  stripePriceTeam: string[] | undefined;
  stripePriceSeat: string[] | undefined;
  /** The URL of Stripe's API, for tests on this machine. Default: Stripe's own. */
  stripeApi: string | undefined;
  /** The origins to which people may return from Stripe, in addition to the origin of `PUBLIC_URL`. */
  billingOrigins: string[] | undefined;
}

const pricesVariable = (name: string): EnvironmentVariable<string[] | undefined> => ({
  name,
  valueIfUnset: undefined,
  read: parsePriceIds,
  expected: 'ids of prices at Stripe with commas between, such as price_1abc, with the one that is offered first',
});

function parsePriceIds(text: string): string[] | undefined {
  const ids = text.split(',').map((id) => id.trim());
  return ids.every((id) => /^price_\w+$/.test(id)) ? ids : undefined;
}

export const billingVariables: { [Key in keyof BillingVariables]: EnvironmentVariable<BillingVariables[Key]> } = {
  stripeSecretKey: {
    name: 'STRIPE_SECRET_KEY',
    valueIfUnset: undefined,
    read: createPatternParser(/^(sk|rk)_(live|test)_\w+$/),
    expected: 'a secret or restricted key of Stripe, such as sk_live_…',
    isSecret: true,
  },
  stripeWebhookSecret: {
    name: 'STRIPE_WEBHOOK_SECRET',
    valueIfUnset: undefined,
    read: createPatternParser(/^whsec_[\x21-\x7e]+$/),
    expected: 'the signing secret of the endpoint at Stripe, such as whsec_…',
    isSecret: true,
  },
  stripePriceTeam: pricesVariable('STRIPE_PRICE_TEAM'),
  stripePriceSeat: pricesVariable('STRIPE_PRICE_SEAT'),
  stripeApi: {
    name: 'GEMBA_STRIPE_API',
    valueIfUnset: undefined,
    read: createPatternParser(/^http:\/\/127\.0\.0\.1:\d{1,5}$/),
    expected: 'http://127.0.0.1 with a port, since it is for tests on one machine',
  },
  billingOrigins: {
    name: 'GEMBA_BILLING_ORIGINS',
    valueIfUnset: undefined,
    read: parseOrigins,
    expected: 'origins with commas between, such as https://app.example',
  },
};

const { stripeSecretKey, stripeWebhookSecret, stripePriceTeam, stripePriceSeat, stripeApi } = billingVariables;

export function billingProblems(environment: Record<string, string | undefined>): string[] {
  const textOf = ({ name }: { name: string }) => environment[name]?.trim() ?? '';
  const together = [stripeSecretKey, stripeWebhookSecret, stripePriceTeam, stripePriceSeat];
  const unset = together.filter((variable) => textOf(variable) === '').map(({ name }) => name);
  const problems: string[] = [];
  if (unset.length === together.length) {
    if (textOf(stripeApi) !== '') problems.push(`${stripeApi.name} needs ${stripeSecretKey.name}`);
    return problems;
  }
  if (unset.length > 0) {
    const names = together.map(({ name }) => name).join(', ');
    problems.push(`${names} must be set together; unset: ${unset.join(', ')}`);
  }
  if (!environment['PUBLIC_URL']?.trim() && textOf(billingVariables.billingOrigins) === '') {
    problems.push(
      `${stripeSecretKey.name} needs PUBLIC_URL or ${billingVariables.billingOrigins.name}, to which people return from Stripe`,
    );
  }
  const ids = [stripePriceTeam, stripePriceSeat].flatMap((variable) => parsePriceIds(textOf(variable)) ?? []);
  if (new Set(ids).size < ids.length) {
    problems.push(`${stripePriceTeam.name} and ${stripePriceSeat.name} must not name a price twice`);
  }
  // A live key must not go to the test program on this machine that `stripeApi` names.
  if (textOf(stripeApi) !== '' && !/^(sk|rk)_test_/.test(textOf(stripeSecretKey))) {
    problems.push(`${stripeApi.name} takes a test key of Stripe alone`);
  }
  return problems;
}

/** Returns the settings of billing; undefined if they are not set. */
export function billingSettingsOf(
  settings: BillingVariables & { publicUrl: string | undefined },
): BillingSettings | undefined {
  const { stripeSecretKey: secretKey, stripeWebhookSecret: webhookSecret, publicUrl } = settings;
  const { stripePriceTeam: teamPrices, stripePriceSeat: seatPrices } = settings;
  if (!secretKey || !webhookSecret || !teamPrices || !seatPrices) return undefined;
  const ownOrigins = publicUrl === undefined ? [] : [new URL(publicUrl).origin];
  const origins = [...new Set([...ownOrigins, ...(settings.billingOrigins ?? [])])];
  return { secretKey, webhookSecret, teamPrices, seatPrices, apiUrl: settings.stripeApi, origins };
}
