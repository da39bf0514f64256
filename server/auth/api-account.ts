/** Converts the row of an account into the bodies that the API returns. */
import type { Account, AccountOverview } from '../../shared/schema/account.ts';
import { mapsOfFreePlanMax, includedPhoneCount } from '../../shared/schema/limits.ts';
import type { AccountRow, NewAccountRow } from '../store/account-row.ts';
import type { LoadedCredentials } from '../store/credentials/credentials.ts';

export function toApiAccount(row: NewAccountRow): Account {
  const { id, name, plan, additional_seats, created_at } = row;
  return { id, name, plan, additional_seats, phones_max: phonesMax(row), created_at };
}

/** `pairedCounts` has the number of the account's paired devices, and how many of these are phones. */
export function toAccountOverview(
  row: AccountRow,
  pairedCounts: Pick<LoadedCredentials, 'phoneCount' | 'deviceCount'>,
): AccountOverview {
  const { id, name, plan, live_maps } = row;
  return {
    id,
    name,
    plan,
    phones: pairedCounts.phoneCount,
    phones_max: phonesMax(row),
    devices: pairedCounts.deviceCount,
    maps: live_maps,
    maps_max: plan === 'free' ? mapsOfFreePlanMax : null,
  };
}

/** Returns null if the number of phones is unlimited. Only a team plan with limited seats limits the phones. */
export function phonesMax({ plan, additional_seats, seats_limited }: NewAccountRow): number | null {
  return plan === 'team' && seats_limited ? includedPhoneCount + additional_seats : null;
}
