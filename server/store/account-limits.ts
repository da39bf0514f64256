/** Limits on what an account stores. Limits on single requests are in shared/schema/limits.ts. */
import type { Plan } from '../../shared/schema/account.ts';

export interface AccountLimits {
  /** Limits the approximate size of the account's maps and runs. */
  storedBytesMax: Record<Plan, number>;
  /** Limits the idempotency keys that the store has at once. */
  idempotencyKeysMax: number;
  /** Limits the total size of the replies that the store has for idempotency keys. */
  idempotencyBytesMax: number;
  /** Limits the sync clients of one device. All API keys of the account count as one device. */
  clientsPerDeviceMax: number;
  /** Limits the sync clients of the account. */
  clientsPerAccountMax: number;
  /** Limits a device's unacknowledged rejections. Each push loads their numbers, and each pull returns them all. */
  rejectionsPerDeviceMax: number;
  /** Limits the unacknowledged rejections of the account. */
  rejectionsPerAccountMax: number;
  /** Limits a device's unacknowledged answers, applied or rejected. The store has all of them. */
  answersPerDeviceMax: number;
  /** Limits the unacknowledged answers of the account. */
  answersPerAccountMax: number;
}

export const bytesPerMiB = 1024 * 1024;

export const accountLimitsDefault: AccountLimits = {
  storedBytesMax: { free: 256 * bytesPerMiB, team: 16_384 * bytesPerMiB },
  idempotencyKeysMax: 200_000,
  idempotencyBytesMax: 256 * bytesPerMiB,
  clientsPerDeviceMax: 1_000,
  clientsPerAccountMax: 20_000,
  rejectionsPerDeviceMax: 10_000,
  rejectionsPerAccountMax: 50_000,
  answersPerDeviceMax: 200_000,
  answersPerAccountMax: 500_000,
};

/**
 * The store does not count the answers of clients with at most this many unacknowledged answers. The 1,000 clients that a
 * device may have then stay below the device's limit.
 */
export const uncountedAnswersMax = 100;

/**
 * Limits the rows of rejections that a transaction counts. Each row has at least one rejection, so this many rows exceed
 * the limit.
 */
export const rejectionRowsReadMax = accountLimitsDefault.rejectionsPerAccountMax + 1;
