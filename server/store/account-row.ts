/** The row of an account. Each transaction locks this row first. */
import type { Plan } from '../../shared/schema/account.ts';

export interface AccountRow extends NewAccountRow {
  /** Each written record takes the next version. */
  version: number;
  /** Each stage or run whose id the server makes takes the next id. */
  next_id: number;
  /** The maps that are not deleted; a limit applies to their number. */
  live_maps: number;
  /** Grows when a token is revoked, so that open event streams look up their tokens again. */
  revocations: number;
  /** The approximate size of the account's maps and runs. */
  bytes: number;
  /** The number of idempotency keys ever made, including those since forgotten. */
  keys_made: number;
  /** The total size of the answers to all idempotency keys ever made. */
  key_bytes_made: number;
}

/** The columns that each transaction with writes sets. */
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
  /** False until the operator sets the seats; seats limit nothing until then. */
  seats_limited: boolean;
}
