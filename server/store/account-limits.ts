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
  /** Applied and rejected ones that nobody acknowledged: each is remembered. */
  answersPerDeviceMax: number;
  answersPerAccountMax: number;
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
  answersPerDeviceMax: 200_000,
  answersPerAccountMax: 500_000,
};

/** Unacknowledged answers of a client are counted only with more than this: 1,000 clients of a device stay below its bound. */
export const answersUncountedMax = 100;

/** A transaction counts no further: more than this is too many for any account. */
export const rejectionsCountedMax = accountLimitsDefault.rejectionsPerAccountMax + 1;
