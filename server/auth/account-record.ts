/** Turns the row of an account into the record that the operator's routes return. */
import type { Account } from '../../shared/schema/account.ts';
import { phonesIncluded } from '../../shared/schema/limits.ts';
import type { NewAccountRow } from '../store/account-row.ts';

export function accountRecord(row: NewAccountRow): Account {
  const { id, name, plan, additional_seats, created_at } = row;
  return { id, name, plan, additional_seats, phones_max: phonesMax(row), created_at };
}

/**
 * Returns null if the number of phones is unlimited: on the free plan, and on a team plan without a number of seats.
 */
export function phonesMax({ plan, additional_seats, seats_limited }: NewAccountRow): number | null {
  return plan === 'team' && seats_limited ? phonesIncluded + additional_seats : null;
}
