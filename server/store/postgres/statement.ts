/**
 * Collects all SQL of this driver in one list as its modules load. A connection sends only results of `statement`, so the
 * lint for sharding (test/contract/store/sharding/sharding-lint.ts) checks every statement that is ever sent.
 */

declare const listed: unique symbol;

export interface Statement {
  /** Prepares the statement under this name once a connection. Without a name, PostgreSQL plans it at each use. */
  name?: string;
  text: string;
  [listed]: true;
}

const allStatements: Statement[] = [];

export function statement(given: { name?: string; text: string }): Statement {
  const made = given as Statement;
  allStatements.push(made);
  return made;
}

/** The list is complete once all modules of the driver are loaded. */
export const statements = (): readonly Statement[] => allStatements;
