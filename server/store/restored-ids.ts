/**
 * Raises an account's `next_id` after a restore, so that no id is given twice. Between the backup and the restore, the
 * account may have given ids to runs and stages that are lost now. The raise skips these ids. If the account gave more
 * ids than the raise skips, the account gives the remaining lost ids a second time. The raise skips at most half of the
 * ids that are left, rounded up, so that even the last id is not given twice.
 */
import { deviceMadeIdMin } from '../../shared/schema/limits.ts';

/** A restore skips at least this many ids. If this is more than half of the ids that are left, it skips that half. */
const idsSkippedMin = 1_000_000;

/**
 * Returns the raised `next_id` as an SQL expression for a row of `accounts`. `least` and `greatest` are the names of
 * these functions in the database, and `nextIdMin` is an SQL expression.
 */
export function raisedNextIdSql(functions: { least: string; greatest: string; nextIdMin: string }): string {
  const { least, greatest, nextIdMin } = functions;
  const wanted = `${greatest}(${idsSkippedMin}, ${nextIdMin} - next_id)`;
  return `next_id + ${least}(${wanted}, (${deviceMadeIdMin} - next_id + 1) / 2)`;
}

/**
 * Returns the seconds from the beginning of 2026 to `nowMs`, a number that is a valid id until 2094. If one backup is
 * restored twice, the second restore thus raises `next_id` higher than the first restore, unless the account gave more
 * than one id a second in between.
 */
export const nextIdMinAt = (nowMs: number): number => Math.floor((nowMs - Date.UTC(2026, 0, 1)) / 1_000);
