/**
 * All SQL of this driver stands in one list, made as its modules load: only `statement` makes what a connection sends, so
 * that the lint for sharding (test/contract/store/sharding/sharding-lint.ts) reads everything that is ever sent.
 */

declare const listed: unique symbol;

export interface Statement {
  /** Prepared once a connection under this name; without one it is planned for its values at each use. */
  name?: string;
  text: string;
  [listed]: true;
}

const list: Statement[] = [];

export function statement(given: { name?: string; text: string }): Statement {
  const made = given as Statement;
  list.push(made);
  return made;
}

/** Complete once the modules of the driver are loaded. */
export const statements = (): readonly Statement[] => list;
