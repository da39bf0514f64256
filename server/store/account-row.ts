/** The row of an account. Each transaction locks this row first. */
import type { Plan } from '../../shared/schema/account.ts';

export interface AccountRow extends NewAccountRow {
  /** The highest version of a record. The next record that is written gets the next version. */
  version: number;
  /** The id for the next stage or run whose id the server makes. */
  next_id: number;
  /** The number of maps that are not deleted. The plan limits it. */
  live_maps: number;
  /** Grows when a token is revoked. Open event streams then look up their tokens again. */
  revocations: number;
  /** The approximate size of the account's maps and runs. */
  bytes: number;
  /** The number of idempotency keys that the account ever stored, deleted keys included. */
  keys_made: number;
  /** The total size of the replies to these idempotency keys. */
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
  /** False until the operator sets the seats. Until then, the number of phones is unlimited. */
  seats_limited: boolean;
}
