/** What an account may have in the store, beside the bounds of the API (shared/schema/limits.ts). */
import type { Plan } from '../../shared/schema/account.ts';

export interface AccountLimits {
  /** About what its maps and runs take. */
  storedBytesMax: Record<Plan, number>;
  /** Idempotency keys that are remembered at once, and the bytes of their answers. */
  keysRememberedMax: number;
  keyBytesRememberedMax: number;
  /** Of one device, or of the account's API keys together. */
  clientsPerDeviceMax: number;
  clientsPerAccountMax: number;
  /** That nobody acknowledged: a push loads the numbers of a client's, a pull carries them all in the client's record. */
  rejectionsPerDeviceMax: number;
  rejectionsPerAccountMax: number;
}

export const bytesPerMiB = 1024 * 1024;

export const accountLimitsDefault: AccountLimits = {
  storedBytesMax: { free: 256 * bytesPerMiB, team: 16_384 * bytesPerMiB },
  keysRememberedMax: 200_000,
  keyBytesRememberedMax: 256 * bytesPerMiB,
  clientsPerDeviceMax: 1_000,
  clientsPerAccountMax: 20_000,
  rejectionsPerDeviceMax: 10_000,
  rejectionsPerAccountMax: 50_000,
};

/** A transaction counts no further: more than this is too many for any account. */
export const rejectionsCountedMax = accountLimitsDefault.rejectionsPerAccountMax + 1;
