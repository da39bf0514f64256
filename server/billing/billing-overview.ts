/** Shows callers what their account pays for. */
import type { BillingOverview } from '../../shared/schema/integration/billing.ts';
import { phonesMax } from '../auth/account-record.ts';
import { runBillingTransaction } from './billing-transaction.ts';
import type { OpenBilling } from './open-billing.ts';

export function billingOverview(billing: OpenBilling, accountId: string): Promise<BillingOverview> {
  const { provider } = billing.service;
  return runBillingTransaction(billing, { accountId }, (_set, { row, credentials }) => {
    const { account, paired } = credentials;
    return {
      provider,
      status: row.status,
      plan: account.plan,
      additional_seats: account.additional_seats,
      phones_max: phonesMax(account),
      phones_paired: paired.phoneCount,
      renews_at: row.renews_at,
    };
  });
}
