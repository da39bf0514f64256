/**
 * Collects all SQL of this driver in one list. A connection sends only statements that `statement` made, so a test of
 * the list (test/contract/store/sharding/sharding-lint.ts) checks every statement that the driver can send.
 */

declare const brand: unique symbol;

export interface Statement {
  /** Each connection prepares the statement once under this name. Without a name, PostgreSQL plans it at each use. */
  name?: string;
  text: string;
  [brand]: true;
}

const allStatements: Statement[] = [];

export function statement(definition: { name?: string; text: string }): Statement {
  const made = definition as Statement;
  allStatements.push(made);
  return made;
}

/** Returns all statements. The list is complete when all modules of the driver are loaded. */
export const statements = (): readonly Statement[] => allStatements;

/**
 * The source of `account_id` for an INSERT of rows from a parameter. Since the statement reads the account's own row,
 * Citus runs it on the account's node alone. With `$1` instead, Citus would collect the rows on the coordinator.
 */
export const ownAccountRowSql = '(SELECT account_id FROM accounts WHERE account_id = $1) AS account';
