/** Shows callers what their account pays for. */
import type { BillingOverview } from '../../shared/schema/integration/billing.ts';
import { phonesMax } from '../auth/api-account.ts';
import { runBillingTransaction, type BillingWorkingSet } from './billing-transaction.ts';
import type { ServerBilling } from './server-billing.ts';

export function loadBillingOverview(billing: ServerBilling, accountId: string): Promise<BillingOverview> {
  return runBillingTransaction(billing, { accountId }, (_set, account) => overviewOf(billing, account));
}

export function overviewOf({ service }: ServerBilling, { row, credentials }: BillingWorkingSet): BillingOverview {
  const { account, pairedCounts } = credentials;
  return {
    provider: service.provider,
    status: row.status,
    plan: account.plan,
    additional_seats: account.additional_seats,
    phones_max: phonesMax(account),
    phones_paired: pairedCounts.phoneCount,
    renews_at: row.renews_at,
  };
}
