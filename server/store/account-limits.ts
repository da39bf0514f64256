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

/** A restored account keeps the mutations that it applied in its latest versions, for at most this many versions. */
export const appliedMutationVersionsMax = 100_000;

/**
 * A transaction counts a device's unacknowledged answers only if one of its clients is new or has more answers than
 * this. If 1,000 clients have fewer answers each, the device is still below its limit.
 */
export const uncountedAnswersMax = 100;

/**
 * A transaction counts at most this many rows of rejections. Each row has at least one rejection, so this many rows
 * exceed the account's limit.
 */
export const rejectionRowsCountedMax = accountLimitsDefault.rejectionsPerAccountMax + 1;
