/** Limits on what an account stores. Limits on single requests are in shared/schema/limits.ts. */
import type { Plan } from '../../shared/schema/account.ts';

export interface AccountLimits {
  /** Limits the approximate size of the account's maps and runs. */
  storedBytesMax: Record<Plan, number>;
  /** Limits the number of idempotency keys remembered at once. */
  idempotencyKeysMax: number;
  /** Limits the total size of the answers to remembered idempotency keys. */
  idempotencyBytesMax: number;
  /** Limits the sync clients of one device, or of all API keys of the account together. */
  clientsPerDeviceMax: number;
  /** Limits the sync clients of the account. */
  clientsPerAccountMax: number;
  /** Limits unacknowledged rejections, since each push loads their numbers and each pull returns them all. */
  rejectionsPerDeviceMax: number;
  /** Limits the unacknowledged rejections of the account. */
  rejectionsPerAccountMax: number;
  /** Limits unacknowledged answers, applied and rejected, since the store keeps each of them. */
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

/** Answers are counted only if a client has more unacknowledged ones: 1,000 clients with 100 each stay below the limit. */
export const uncountedAnswersMax = 100;

/** A transaction stops counting rejections here, since any higher count exceeds the limit, too. */
export const rejectionRowsReadMax = accountLimitsDefault.rejectionsPerAccountMax + 1;
