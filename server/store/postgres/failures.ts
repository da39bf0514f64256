/** Classifies the errors of `pg`: an outage, a conflict after which the transaction runs again, or a bug. */
import pg from 'pg';
import { StoreUnavailable } from '../store.ts';

/**
 * Turns an error of `pg` into `StoreUnavailable` if the error is an outage. An unknown error counts as an outage, so
 * pass only errors from `connect` or `query`.
 */
export function translatePgError(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) {
    return isOutage(error.code ?? '') ? new StoreUnavailable(`PostgreSQL: ${error.message}`, { cause: error }) : error;
  }
  // A `TypeError` or `RangeError` is a bug: `pg` cannot send or read a value. `UnusableNode` is no outage, either.
  // Other errors mean that a connection was refused, broke or timed out.
  if (error instanceof TypeError || error instanceof RangeError || error instanceof UnusableNode) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new StoreUnavailable(`PostgreSQL: ${message}`, { cause: error });
}

/** Thrown if the server cannot start on this node of Citus. */
export class UnusableNode extends Error {
  override name = 'UnusableNode';
}

/**
 * Thrown if the account's row moved while the transaction waited for the row's lock. The row moved to another node of
 * Citus, or to a later row version.
 */
export class AccountRowMoved extends Error {
  override name = 'AccountRowMoved';
}

/** Detects a serialization failure, a deadlock or a moved row. The transaction may succeed when it runs again. */
export function isConflict(error: unknown): boolean {
  if (error instanceof AccountRowMoved) return true;
  return error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01');
}

/**
 * Detects the error of a statement that follows a failed statement in a transaction. Only the error of the failed
 * statement names the cause.
 */
export function isInFailedTransaction(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '25P02';
}

/**
 * Tells whether an SQLSTATE is for a failure of the database or its machine:
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const isOutage = (code: string) => outageClasses.has(code.slice(0, 2)) || outageCodes.has(code);
const outageClasses = new Map([
  ['08', 'connection failures'],
  ['53', 'insufficient resources, such as a full disk'],
  ['57', 'shutting down or starting up'],
  ['58', 'I/O errors'],
]);
const outageCodes = new Map([
  ['25006', 'read-only, such as a standby server'],
  ['25P03', 'idle in a transaction for too long, since this process stalled'],
  ['55P03', "waited too long for the account's lock"],
  ['XX000', 'a node of Citus that died in the middle of a statement or a COMMIT'],
]);
