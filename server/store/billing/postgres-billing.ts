/** Reads and writes the billing of accounts, and the accounts of customers. */
import type { Connections, StatementCall } from '../postgres/connections.ts';
import { statement } from '../postgres/statement.ts';
import { isUuid } from '../postgres/types.ts';
import { parseBilling, type BillingColumns, type BillingRow, type CustomerRow } from './billing-row.ts';

export const selectBillingStatement = statement({ text: 'SELECT record FROM billing WHERE account_id = $1' });

export async function readBilling(connections: Connections, accountId: string): Promise<BillingRow | undefined> {
  if (!isUuid(accountId)) return undefined;
  const [row] = await connections.query<BillingColumns>(selectBillingStatement, [accountId]);
  return row && parseBilling(row);
}

const upsertBillingStatement = statement({
  text: `
    INSERT INTO billing (account_id, record) VALUES ($1, $2)
    ON CONFLICT (account_id) DO UPDATE SET record = excluded.record`,
});

export function callToUpsertBilling(accountId: string, row: BillingRow): StatementCall {
  return { statement: upsertBillingStatement, values: [accountId, JSON.stringify(row)] };
}

const insertCustomerStatement = statement({
  text: `
    INSERT INTO billing_customers (customer_id, account_id) VALUES ($1, $2)
    ON CONFLICT (customer_id) DO NOTHING`,
});

const selectCustomerStatement = statement({
  text: 'SELECT account_id AS id FROM billing_customers WHERE customer_id = $1',
});

/** Works without a transaction, since the customer and the account may be in different shards. */
export async function claimCustomer(connections: Connections, customerId: string, accountId: string): Promise<string> {
  await connections.query(insertCustomerStatement, [customerId, accountId]);
  return (await readCustomerAccount(connections, customerId)) ?? accountId;
}

export async function readCustomerAccount(connections: Connections, customerId: string): Promise<string | undefined> {
  const [row] = await connections.query<{ id: string }>(selectCustomerStatement, [customerId]);
  return row?.id;
}

const selectCustomersStatement = statement({
  text: 'SELECT customer_id, account_id FROM billing_customers WHERE customer_id > $1 ORDER BY customer_id LIMIT $2',
});

export function listCustomers(
  connections: Connections,
  { after = '', limit }: { after?: string; limit: number },
): Promise<CustomerRow[]> {
  return connections.query<CustomerRow>(selectCustomersStatement, [after, limit]);
}
