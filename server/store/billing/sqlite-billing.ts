/** Reads and writes the billing of accounts, and the accounts of customers. */
import type { Database, ExecuteForAccount } from '../sqlite/database.ts';
import { parseBilling, type BillingColumns, type BillingRow, type CustomerRow } from './billing-row.ts';

export function readBilling(database: Database, accountId: string): BillingRow | undefined {
  const row = database.get<BillingColumns>('SELECT record FROM billing WHERE account_id = ?', accountId);
  return row && parseBilling(row);
}

export function saveBilling(execute: ExecuteForAccount, row: BillingRow): void {
  execute(
    `INSERT INTO billing (account_id, record) VALUES (?1, ?2)
     ON CONFLICT (account_id) DO UPDATE SET record = ?2`,
    JSON.stringify(row),
  );
}

export function claimCustomer(database: Database, customerId: string, accountId: string): string {
  database.run(
    'INSERT INTO billing_customers (customer_id, account_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
    customerId,
    accountId,
  );
  return readCustomerAccount(database, customerId) ?? accountId;
}

export function readCustomerAccount(database: Database, customerId: string): string | undefined {
  const sql = 'SELECT account_id AS id FROM billing_customers WHERE customer_id = ?';
  return database.get<{ id: string }>(sql, customerId)?.id;
}

export function listCustomers(
  database: Database,
  { after = '', limit }: { after?: string; limit: number },
): CustomerRow[] {
  const sql =
    'SELECT customer_id, account_id FROM billing_customers WHERE customer_id > ? ORDER BY customer_id LIMIT ?';
  return database.all<CustomerRow>(sql, after, limit).map((row) => ({ ...row }));
}
