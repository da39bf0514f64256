/** Classifies failures of `pg`: an outage, a transaction to retry, or a bug. */
import pg from 'pg';
import { StoreUnavailable } from '../store.ts';

/** Takes only errors with which a query or connect of `pg` rejected, since it takes unknown errors for an outage. */
export function asStoreFailure(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) {
    return isOutage(error.code ?? '') ? new StoreUnavailable(`PostgreSQL: ${error.message}`, { cause: error }) : error;
  }
  // A value that cannot be sent or read is a bug. Any other error means that PostgreSQL did not answer: refused, cut off
  // or timed out.
  if (error instanceof TypeError || error instanceof RangeError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new StoreUnavailable(`PostgreSQL: ${message}`, { cause: error });
}

/** A serialization failure or a deadlock: the same transaction may succeed when it runs again. */
export function isConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01');
}

/** The error of each statement behind a failed one; it does not tell the cause. */
export function isInFailedTransaction(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '25P02';
}

/** SQLSTATEs for a failing database or machine, as opposed to wrong SQL. https://www.postgresql.org/docs/current/errcodes-appendix.html */
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
]);
