/**
 * A restore raises an account's `next_id`, so that no id of a lost run or stage is given again, as long as the account took fewer
 * ids since the backup than the raise skips. It skips half of those left, rounded up, at most: the last one is not given twice.
 */
import { deviceMadeIdMin } from '../../shared/schema/limits.ts';

/** Skipped unless half of what is left is less. An account that took more since the backup can get some of them again. */
const idsSkipped = 1_000_000;

/** An SQL expression of the columns of `accounts`. `least` and `greatest` are the database's names for these functions. */
export function raisedNextIdSql(functions: { least: string; greatest: string; nextIdMin: string }): string {
  const { least, greatest, nextIdMin } = functions;
  const wanted = `${greatest}(${idsSkipped}, ${nextIdMin} - next_id)`;
  return `next_id + ${least}(${wanted}, (${deviceMadeIdMin} - next_id + 1) / 2)`;
}

/**
 * Returns the seconds since 2026. With them a backup that is restored twice goes on at another id the second time, unless the
 * account took more than one id a second in between. The range lasts until 2094.
 */
export const nextIdMinAt = (nowMs: number): number => Math.floor((nowMs - Date.UTC(2026, 0, 1)) / 1_000);
