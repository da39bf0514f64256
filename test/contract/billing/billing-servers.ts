/** Two servers on one database with a Stripe of the test, and accounts that pay. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { BillingRow } from '../../../server/store/billing/billing-row.ts';
import { openLog } from '../../../server/observe/log.ts';
import { startFakeStripe, type FakeStripe } from '../../stripe/fake-stripe.ts';
import type { StripeObject } from '../../stripe/stripe-objects.ts';
import { adminToken, Api, newApi, openServers, type Received, type Servers } from '../fixture.ts';
import type { Plan } from '../../../shared/schema/account.ts';

export interface BillingServers extends Servers {
  stripe: FakeStripe;
  /** The lines that both servers logged. */
  logged: string[];
}

export type GetBillingServers = () => BillingServers;

export const origin = 'https://gemba.example';
export const urls = { success_url: `${origin}/paid?session={CHECKOUT_SESSION_ID}`, cancel_url: `${origin}/plans` };

interface BillingPlace {
  dataDir: string;
  databaseUrl?: string;
  /** How long a server waits for Stripe. Default: longer than a busy machine takes. */
  timeoutMs?: number | undefined;
}

export async function openBillingServers({ timeoutMs = 60_000, ...place }: BillingPlace): Promise<BillingServers> {
  let aheadMs = 0;
  const stripe = await startFakeStripe(() => Date.now() + aheadMs);
  const logged: string[] = [];
  const log = openLog('warn', { write: (line) => void logged.push(line) });
  const billing = { ...stripe.settings, timeoutMs, origins: [origin] };
  const rateLimit = { requests: 1_000_000, secs: 60 };
  const servers = await openServers({ ...place, billing, log, rateLimit });
  return {
    ...servers,
    stripe,
    logged,
    advance(ms) {
      aheadMs += ms;
      servers.advance(ms);
    },
    close: () => servers.close().finally(() => stripe.close()),
  };
}

/** One account, what it pays for at Stripe, and what the server says of it. */
export class Customer {
  readonly api: Api;
  readonly servers: BillingServers;

  constructor(api: Api, servers: BillingServers) {
    this.api = api;
    this.servers = servers;
  }

  static async make(servers: BillingServers, plan: Plan = 'free'): Promise<Customer> {
    return new Customer(await newApi(servers.first, plan), servers);
  }

  get operator(): Api {
    return new Api({ url: this.api.url, key: adminToken, accountId: this.api.accountId });
  }

  checkout(additional_seats: number, key: string = randomUUID()): Promise<Received> {
    return this.api.post('/api/v1/billing/checkout', { additional_seats, ...urls }, { 'Idempotency-Key': key });
  }

  /** Begins a checkout and pays it. No event is delivered yet. */
  async pay(seats: number): Promise<{ session: StripeObject; subscription: StripeObject }> {
    const begun = await this.checkout(seats);
    expect(begun.status).toBe(201);
    const session = this.sessionAt(begun.body.url);
    return { session, subscription: this.servers.stripe.pay(session['id'] as string) };
  }

  /** Pays, and delivers the event of the completed checkout. */
  async subscribe(seats: number): Promise<StripeObject> {
    const { session, subscription } = await this.pay(seats);
    await this.deliver('checkout.session.completed', session);
    return subscription;
  }

  async deliver(type: string, object: StripeObject): Promise<StripeObject> {
    const event = this.servers.stripe.event(type, object);
    expect(await this.servers.stripe.deliver(this.api.url, event)).toEqual({ status: 200, body: { received: true } });
    return event;
  }

  /** The alarms whose lines have this id, in the order in which they were raised. */
  alarmsOf(id: string): string[] {
    const lines = this.servers.logged.filter((line) => line.includes(id));
    return lines.flatMap((line) => (JSON.parse(line) as { alarm?: string }).alarm ?? []);
  }

  changeSeats(additional_seats: number, key: string = randomUUID()): Promise<Received> {
    return this.api.send('PATCH', '/api/v1/billing', {
      body: { additional_seats },
      headers: { 'Idempotency-Key': key },
    });
  }

  sessionAt(url: string): StripeObject {
    return [...this.servers.stripe.sessions.values()].find((session) => session['url'] === url)!;
  }

  async state(): Promise<{ status: BillingRow['status']; plan: Plan; additional_seats: number }> {
    const { status, plan, additional_seats } = (await this.api.get('/api/v1/billing')).body;
    return { status, plan, additional_seats };
  }

  patchAccount(fields: object): Promise<Received> {
    return this.operator.patch(`/api/v1/admin/accounts/${this.api.accountId}`, fields);
  }
}

export const team = (additional_seats: number) => ({ status: 'active', plan: 'team', additional_seats }) as const;
export const ended = { status: 'ended', plan: 'free', additional_seats: 0 } as const;
