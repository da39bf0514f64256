/** What an account's row says to its operator. */
import type { Account } from '../../shared/schema/account.ts';
import { phonesIncluded } from '../../shared/schema/limits.ts';
import type { NewAccountRow } from '../store/account-row.ts';

export function accountRecord(row: NewAccountRow): Account {
  const { id, name, plan, additional_seats, created_at } = row;
  return { id, name, plan, additional_seats, phones_max: phonesMax(row), created_at };
}

/** Seats are a matter of the team plan, and limit nothing until the operator sets them; null is no limit. */
export function phonesMax({ plan, additional_seats, seats_limited }: NewAccountRow): number | null {
  return plan === 'team' && seats_limited ? phonesIncluded + additional_seats : null;
}
