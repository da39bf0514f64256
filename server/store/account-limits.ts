/** The limits of an account's storage that a server may set. Fixed limits are in shared/schema/limits.ts. */
import type { Plan } from '../../shared/schema/account.ts';

export interface AccountLimits {
  /** Limits the approximate size of the account's maps and runs. */
  storedBytesMax: Record<Plan, number>;
  /** Limits the bytes of the account's photos. */
  photoBytesMax: Record<Plan, number>;
  idempotencyKeysMax: number;
  /** Limits the total size of the stored replies to requests with an idempotency key. */
  idempotencyBytesMax: number;
  /**
   * Limits the sync clients of one device that pushed within `countedClientAgeMsMax`. All API keys of the account count
   * as one device.
   */
  clientsPerDeviceMax: number;
  clientsPerAccountMax: number;
  /**
   * Limits a device's unacknowledged rejections, since each push loads their sequence numbers and each pull returns
   * them.
   */
  rejectionsPerDeviceMax: number;
  rejectionsPerAccountMax: number;
  /** Limits a device's unacknowledged answers, rejections included. */
  answersPerDeviceMax: number;
  answersPerAccountMax: number;
}

/**
 * A client that did not push for this long stays stored, but does not count towards the limits of clients. A device
 * takes a new client id with each export of its work, so over years it has more clients than the limit.
 */
export const countedClientAgeMsMax = 30 * 24 * 60 * 60 * 1000;

export const bytesPerMiB = 1024 * 1024;

export const accountLimitsDefault: AccountLimits = {
  storedBytesMax: { free: 256 * bytesPerMiB, team: 16_384 * bytesPerMiB },
  photoBytesMax: { free: 2_048 * bytesPerMiB, team: 51_200 * bytesPerMiB },
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
 * A restored account stores the mutations that it applied. When it applies a further mutation, the server deletes the
 * stored mutations whose versions are at least this much lower.
 */
export const appliedMutationVersionsMax = 100_000;

/**
 * A transaction counts the unacknowledged answers of devices only if a client of the transaction is new or has more
 * unacknowledged answers than this. If 1,000 clients of a device have fewer answers each, the device is still below the
 * limit of a device.
 */
export const uncountedAnswersMax = 100;

/**
 * Limits the rows of rejections that a transaction counts. Each row has at least one rejection, so an account with this
 * many rows exceeds its limit of rejections.
 */
export const rejectionRowsCountedMax = accountLimitsDefault.rejectionsPerAccountMax + 1;
