import type { Plan } from '../../shared/schema/account.ts';

export interface AccountRow extends NewAccountRow {
  /** The account's counter of written records. Each written record gets the next value as its version. */
  version: number;
  /** The next id that the server gives to a stage or run. */
  next_id: number;
  /** The number of maps outside the recycle bin. The plan limits this number. */
  live_maps: number;
  /** Grows when a token is revoked. Open event streams notice the change and check their tokens again. */
  revocations: number;
  /** The approximate size of the account's maps and runs. */
  bytes: number;
  /** True if a backup was restored since the account was made. */
  was_restored: boolean;
  /** The number of idempotency keys that the account ever stored, deleted keys included. */
  keys_made: number;
  /** The total size of the replies that the account ever stored for idempotency keys, deleted replies included. */
  key_bytes_made: number;
}

/** The columns that every writing transaction sets. */
export type AccountCounters = Pick<
  AccountRow,
  'version' | 'next_id' | 'live_maps' | 'bytes' | 'keys_made' | 'key_bytes_made'
>;

export interface NewAccountRow extends AccountFields {
  id: string;
  created_at: string;
}

/** The fields that an operator sets. */
export interface AccountFields {
  name: string;
  plan: Plan;
  additional_seats: number;
  /**
   * False until the operator sets the number of seats. Without that number, the account may have any number of phones.
   */
  seats_limited: boolean;
}
