/** What a failure of `pg` means: an outage, a transaction to run again, or a bug. */
import pg from 'pg';
import { StoreUnavailable } from '../store.ts';

/** Called with what a query or a connect of `pg` rejected with, never with errors of our own code. */
export function asStoreFailure(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) {
    return isOutage(error.code ?? '') ? new StoreUnavailable(`PostgreSQL: ${error.message}`, { cause: error }) : error;
  }
  // Values that cannot be sent or read are bugs; everything else that is not PostgreSQL's own answer is its absence:
  // refused, cut off, timed out.
  if (error instanceof TypeError || error instanceof RangeError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new StoreUnavailable(`PostgreSQL: ${message}`, { cause: error });
}

/** Another transaction won; the same work may succeed at once. */
export function isConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01');
}

/** Everything behind the statement that failed fails with this; it says nothing. */
export function isAftermath(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '25P02';
}

/**
 * SQLSTATEs that say that the database or its machine fails, and not our SQL: classes 08 (connection), 53 (resources, the
 * disk among them), 57 (shutting down, starting up), 58 (I/O), and single codes. https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const isOutage = (code: string) => outageClasses.has(code.slice(0, 2)) || outageCodes.has(code);
const outageClasses = new Set(['08', '53', '57', '58']);
const outageCodes = new Set([
  '25006', // read-only: a standby
  '25P03', // idle in transaction for too long: this process stood still
  '55P03', // the account's lock was not to be had in time
]);
