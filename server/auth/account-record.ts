/** The public fields of an account's row, which the operator sees. */
import type { Account } from '../../shared/schema/account.ts';
import { phonesIncluded } from '../../shared/schema/limits.ts';
import type { NewAccountRow } from '../store/account-row.ts';

export function accountRecord(row: NewAccountRow): Account {
  const { id, name, plan, additional_seats, created_at } = row;
  return { id, name, plan, additional_seats, phones_max: phonesMax(row), created_at };
}

/** Returns null for no limit. Seats limit the phones of a team plan alone, once the operator has set them. */
export function phonesMax({ plan, additional_seats, seats_limited }: NewAccountRow): number | null {
  return plan === 'team' && seats_limited ? phonesIncluded + additional_seats : null;
}
