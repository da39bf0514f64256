import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openBillingServers, Customer, team } from '../../contract/billing/billing-servers.ts';
import { temporaryFolder } from '../../contract/fixture.ts';
import { startProxy } from '../../contract/store/outage/postgres-proxy.ts';
import { postgresAtHand, startPostgres, type TestPostgres } from '../../postgres.ts';

describe.skipIf(!postgresAtHand())('an event while the store is away', () => {
  let postgres: TestPostgres | undefined;
  beforeAll(async () => void (postgres = await startPostgres()));
  afterAll(() => postgres?.stop());

  test.each(['sent', 'answered'] as const)(
    '[BILL-31] as the COMMIT is %s is 503, and its repeat is applied',
    async (when) => {
      const { dataDir, remove } = temporaryFolder();
      onTestFinished(remove);
      const proxy = await startProxy(await postgres!.createDatabase());
      onTestFinished(proxy.close);
      const servers = await openBillingServers({ dataDir, databaseUrl: proxy.url });
      onTestFinished(servers.close);
      const { stripe, first } = servers;
      const customer = await Customer.make(servers);
      const subscription = await customer.subscribe(1);
      stripe.setSeats(subscription, 4);
      const event = stripe.event('customer.subscription.updated', subscription);
      proxy.cutAt('COMMIT\0', when);
      expect(await stripe.deliver(first.url, event)).toMatchObject({ status: 503, body: { code: 'unavailable' } });
      expect((await stripe.deliver(first.url, event)).status).toBe(200);
      expect(await customer.state()).toEqual(team(4));
      expect(subscription['metadata'].additional_seats).toBe('4');
    },
  );
});
