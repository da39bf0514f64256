/**
 * Raises an account's `next_id` after a restore. Between the backup and the restore, the account may have given ids to
 * runs and stages that are lost now. The raise skips these ids, so that no id is given twice, unless the account gave
 * more ids than the raise skips. The raise skips at most half of the ids that are left, rounded up, so that even the
 * last id is not given twice.
 */
import { deviceMadeIdMin } from '../../shared/schema/limits.ts';

/** A restore skips at least this many ids, unless that is more than half of the ids that are left. */
const idsSkippedMin = 1_000_000;

/**
 * Returns the raised `next_id` as an SQL expression for a row of `accounts`. `least` and `greatest` are the database's
 * names of these functions, and `nextIdMin` is SQL, too.
 */
export function raisedNextIdSql(functions: { least: string; greatest: string; nextIdMin: string }): string {
  const { least, greatest, nextIdMin } = functions;
  const wanted = `${greatest}(${idsSkippedMin}, ${nextIdMin} - next_id)`;
  return `next_id + ${least}(${wanted}, (${deviceMadeIdMin} - next_id + 1) / 2)`;
}

/**
 * Returns the seconds since 2026, until 2094 a valid id. The second restore of one backup thus raises `next_id` higher
 * than the first, unless the account took more than one id a second in between.
 */
export const nextIdMinAt = (nowMs: number): number => Math.floor((nowMs - Date.UTC(2026, 0, 1)) / 1_000);
