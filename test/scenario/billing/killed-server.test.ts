import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openServer } from '../../../server/app.ts';
import { sweepBilling } from '../../../server/billing/sweep-billing.ts';
import { adminToken, Api, temporaryFolder } from '../../contract/fixture.ts';
import { origin, urls } from '../../contract/billing/billing-servers.ts';
import { startServerProcess } from '../../contract/server-process.ts';
import { postgresAtHand, startPostgres, type TestPostgres } from '../../postgres.ts';
import { startFakeStripe, type FakeStripe } from '../../stripe/fake-stripe.ts';
import type { StripeObject } from '../../stripe/stripe-objects.ts';

interface Place {
  dataDir: string;
  databaseUrl?: string;
}

const dayMs = 86_400_000;

describe('a server that is killed between the commit and the metadata', () => {
  let postgres: TestPostgres | undefined;
  beforeAll(async () => void (postgres = await startPostgres()));
  afterAll(() => postgres?.stop());

  const newPlace = async (database: string): Promise<Place> => {
    const { dataDir, remove } = temporaryFolder();
    onTestFinished(remove);
    return database === 'SQLite' ? { dataDir } : { dataDir, databaseUrl: await postgres!.createDatabase() };
  };
  const databases = ['SQLite', ...(postgresAtHand() ? ['PostgreSQL'] : [])];

  test.each(databases)(
    '[BILL-23] on %s has written the seats, and the next event writes the metadata',
    async (database) => {
      const killed = await killBeforeMetadata(await newPlace(database));
      const { api, stripe, subscription } = killed;
      const url = await killed.restart();
      expect(await seatsOf(api, url)).toEqual({ status: 'active', additional_seats: 6 });
      expect(subscription['metadata'].additional_seats).toBe('1');
      expect((await stripe.deliver(url, killed.event)).status).toBe(200);
      expect(subscription['metadata'].additional_seats).toBe('6');
      expect(await seatsOf(api, url)).toEqual({ status: 'active', additional_seats: 6 });
    },
  );

  test.each(databases)('[BILL-23] on %s has written the seats, and the sweep writes the metadata', async (database) => {
    const place = await newPlace(database);
    const { stripe, subscription } = await killBeforeMetadata(place);
    const billing = { ...stripe.settings, origins: [origin] };
    const clock = () => Date.now() + dayMs;
    const server = await openServer({ ...place, billing, clock, port: 0, host: '127.0.0.1' });
    onTestFinished(server.close);
    await sweepBilling(server.services.billing!, {
      reported: new Map(),
      onBug: (error) => {
        throw error;
      },
    });
    expect(subscription['metadata'].additional_seats).toBe('6');
  });

  test.each(databases)(
    '[BILL-8] on %s before it could reply to a checkout, a repeat gets the checkout that was begun',
    async (database) => {
      const { stripe, environment } = await startStripe(await newPlace(database));
      const server = startServerProcess(environment);
      const [, url] = await server.until(/listening on (\S+)\n/);
      const api = await newAccount(url!);
      const key = { 'Idempotency-Key': 'once' };
      stripe.misbehave({ kind: 'hold', until: () => new Promise(() => {}) });
      const lost = api.post('/api/v1/billing/checkout', { additional_seats: 2, ...urls }, key).catch(() => 'lost');
      await expect.poll(() => stripe.sessions.size).toBe(1);
      server.child.kill('SIGKILL');
      expect(await lost).toBe('lost');
      const again = startServerProcess(environment);
      const [, next] = await again.until(/listening on (\S+)\n/);
      const repeated = await at(api, next!).post('/api/v1/billing/checkout', { additional_seats: 2, ...urls }, key);
      expect(repeated.status).toBe(201);
      expect([...stripe.sessions.values()].map((session) => session['url'] as string)).toEqual([repeated.body.url]);
    },
  );
});

interface Killed {
  api: Api;
  stripe: FakeStripe;
  subscription: StripeObject;
  /** The event under way when the server was killed. */
  event: StripeObject;
  /** Starts another server and returns its URL. */
  restart(): Promise<string>;
}

async function killBeforeMetadata(place: Place): Promise<Killed> {
  const { stripe, environment } = await startStripe(place);
  const server = startServerProcess(environment);
  const [, url] = await server.until(/listening on (\S+)\n/);
  const api = await newAccount(url!);
  const begun = await api.post('/api/v1/billing/checkout', { additional_seats: 1, ...urls });
  expect(begun.status).toBe(201);
  const [session] = stripe.sessions.values();
  const subscription = stripe.pay(session!['id'] as string);
  expect((await stripe.deliver(url!, stripe.event('checkout.session.completed', session!))).status).toBe(200);

  stripe.setSeats(subscription, 6);
  const event = stripe.event('customer.subscription.updated', subscription);
  const isMetadata = ({ method, path }: { method: string; path: string }) =>
    method === 'POST' && path.startsWith('/v1/subscriptions/');
  stripe.misbehave({ kind: 'silence' }, isMetadata);
  const delivery = stripe.deliver(url!, event).catch(() => 'lost');
  await expect.poll(() => stripe.requests.some(isMetadata)).toBe(true);
  server.child.kill('SIGKILL');
  expect(await delivery).toBe('lost');
  await server.ended;
  const restart = async () => {
    const [, next] = await startServerProcess(environment).until(/listening on (\S+)\n/);
    return next!;
  };
  return { api, stripe, subscription, event, restart };
}

async function startStripe({ dataDir, databaseUrl }: Place) {
  const stripe = await startFakeStripe();
  onTestFinished(() => stripe.close());
  const environment = {
    ...stripe.environment,
    GEMBA_ADMIN_TOKEN: adminToken,
    GEMBA_BILLING_ORIGINS: origin,
    DATA_DIR: dataDir,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  };
  return { stripe, environment };
}

async function newAccount(url: string): Promise<Api> {
  const operator = new Api({ url, key: adminToken, accountId: '' });
  const { body } = await operator.post('/api/v1/admin/accounts', { name: 'Shop', plan: 'free' });
  return new Api({ url, key: body.api_key, accountId: body.account.id });
}

const at = ({ key, accountId }: Api, url: string): Api => new Api({ url, key, accountId });

async function seatsOf(api: Api, url: string): Promise<object> {
  const { status, additional_seats } = (await at(api, url).get('/api/v1/billing')).body;
  return { status, additional_seats };
}
