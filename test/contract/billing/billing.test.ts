import { afterAll, beforeAll, describe } from 'vitest';
import { postgresAtHand, startPostgres, type TestPostgres } from '../../postgres.ts';
import { temporaryFolder } from '../fixture.ts';
import { openBillingServers, type BillingServers, type GetBillingServers } from './billing-servers.ts';
import { boundCustomerContract } from './bound-customer-contract.ts';
import { checkoutContract } from './checkout-contract.ts';
import { lostCheckoutContract } from './lost-checkout-contract.ts';
import { outageContract } from './outage-contract.ts';
import { pricesContract } from './prices-contract.ts';
import { seatChangeContract } from './seat-change-contract.ts';
import { eventOrderContract } from './event-order-contract.ts';
import { seatsContract } from './seats-contract.ts';
import { signatureContract } from './signature-contract.ts';
import { subscriptionContract } from './subscription-contract.ts';
import { sweepContract } from './sweep-contract.ts';

type Open = (timeoutMs?: number) => Promise<BillingServers>;

/** A silent Stripe is waited for in vain a few times. */
const shortTimeoutMs = 3_000;

function billingContract(open: Open): void {
  const contracts = [
    checkoutContract,
    signatureContract,
    eventOrderContract,
    subscriptionContract,
    boundCustomerContract,
    seatsContract,
    seatChangeContract,
    pricesContract,
  ];
  describe('on request', () => {
    onServers(open, contracts);
  });
  describe('in an outage', () => {
    onServers(() => open(shortTimeoutMs), [outageContract, lostCheckoutContract]);
  });
  // A sweep goes through all customers of a database and moves the clock by weeks.
  describe('by itself', () => {
    onServers(open, [sweepContract]);
  });
}

function onServers(open: () => Promise<BillingServers>, contracts: ((servers: GetBillingServers) => void)[]): void {
  let servers: BillingServers;
  beforeAll(async () => void (servers = await open()));
  afterAll(() => servers.close());
  for (const contract of contracts) contract(() => servers);
}

describe('billing on SQLite', () => {
  billingContract(async (timeoutMs) => {
    const { dataDir, remove } = temporaryFolder();
    const servers = await openBillingServers({ dataDir, timeoutMs });
    return { ...servers, close: () => servers.close().finally(remove) };
  });
});

describe.skipIf(!postgresAtHand())('billing on a real PostgreSQL', () => {
  let postgres: TestPostgres | undefined;
  beforeAll(async () => void (postgres = await startPostgres()));
  afterAll(() => postgres?.stop());

  billingContract(async (timeoutMs) => {
    const { dataDir, remove } = temporaryFolder();
    const databaseUrl = await postgres!.createDatabase();
    const servers = await openBillingServers({ dataDir, databaseUrl, timeoutMs });
    return { ...servers, close: () => servers.close().finally(remove) };
  });
});
