/**
 * Credentials: tokens, devices and pairing codes. The server looks up a pairing code before it knows the account, so no
 * account's lock protects pairing codes. Each method on pairing codes or pairing events is therefore atomic.
 */
import type { Scope } from '../../../shared/schema/account.ts';
import type { ApiKey, Creator, Device, DeviceKind } from '../../../shared/schema/auth.ts';
import type { AccountFields } from '../account-row.ts';
import type { Page } from '../page.ts';
import type {
  DeviceRowKey,
  DeviceHealthGroup,
  DeviceWithStatus,
  HealthCutoffs,
  SilentDeviceQuery,
  StatusWrite,
} from './device-status.ts';

export interface CredentialStore {
  createToken(token: NewTokenRow): Promise<void>;
  /** Also returns revoked tokens. */
  token(key: TokenRowKey): Promise<TokenRow | undefined>;
  /** Stores when the token was used, unless a later use is stored already. */
  markTokenUsed(key: TokenRowKey, at: string): Promise<void>;
  /** Lists the account's API keys, newest first, including revoked keys. */
  keys(accountId: string, query: CredentialQuery): Promise<CredentialPage<ApiKey>>;
  /** Lists the account's devices, newest first, including revoked devices. */
  devices(accountId: string, query: CredentialQuery): Promise<CredentialPage<Device>>;
  /** Lists the account's devices with the statuses that they reported, newest first, including revoked devices. */
  devicesWithStatus(accountId: string, query: CredentialQuery): Promise<CredentialPage<DeviceWithStatus>>;
  /**
   * Writes the status of a device. Returns false if the stored status is later, or was written after `lastWrittenMax`.
   */
  saveDeviceStatus(key: DeviceRowKey, write: StatusWrite): Promise<boolean>;
  /** Groups the unrevoked devices of all accounts by the facts that decide their health, and counts each group. */
  deviceCounts(cutoffs: HealthCutoffs): Promise<DeviceHealthGroup[]>;
  /**
   * Finds unrevoked devices of all accounts that are silent since `silentSeenMax` and whose silence has no event yet.
   */
  silentDevices(query: SilentDeviceQuery): Promise<DeviceRowKey[]>;

  /** Returns false if the code exists already. */
  createPairingCode(code: PairingCodeRow): Promise<boolean>;
  /**
   * Claims a pairing code for a device and returns the code's account and maker. Returns undefined if the code is
   * unknown or expired, is for another kind of device, or is claimed by another device.
   */
  claimPairingCode(claim: PairingClaim): Promise<PairingCodeOrigin | undefined>;
  /** Returns the same as `claimPairingCode`, but does not claim the code. */
  pairingCodeOrigin(query: PairingCodeQuery): Promise<PairingCodeOrigin | undefined>;
  /** Adds an event to its counter, unless the counter already has `eventsMax` events within the window. */
  countPairingEvent(event: PairingEvent): Promise<CountPairingEventOutcome>;
  /** Removes an event from its counter: a guess of a pairing code that was right, or a code that a device has used. */
  uncountPairingEvent(event: Pick<PairingEvent, 'counter' | 'at'>): Promise<void>;
  /** Deletes the pairing codes and pairing events that expired before `now`. */
  sweepPairing(now: string): Promise<void>;
}

export interface TokenRowKey {
  accountId: string;
  tokenHash: string;
}

/** A stored token. The store has only the hash of its text: `token_hash`, the SHA-256 in hex. */
export interface TokenRow {
  account_id: string;
  token_hash: string;
  id: string;
  kind: 'key' | 'device';
  name: string;
  scopes: Scope[];
  /** The device that the token belongs to; null for API keys. */
  device_id: string | null;
  last_four: string;
  created_at: string;
  /**
   * The device or key that made this API key. null for keys that the operator or an earlier version of the server made,
   * and for tokens of devices.
   */
  created_by: Creator | null;
  last_used_at: string | null;
  revoked_at: string | null;
}

export type NewTokenRow = Omit<TokenRow, 'last_used_at'>;

export interface DeviceRow {
  /** An id that the device made. Several accounts may have a device with the same id. */
  id: string;
  /** A UUID that begins with the time of the first pairing. Lists of devices are sorted by this UUID. */
  list_id: string;
  name: string;
  kind: DeviceKind;
  paired_at: string;
  /** When a token of the device was last used. The store computes this time from the tokens. */
  last_seen_at: string | null;
  revoked_at: string | null;
  /** The hash of the pairing code that the device used last. */
  code_hash: string;
  /**
   * When the last event `device.silent` was written. A silence gets one event, and lasts until the next use of the
   * device.
   */
  silent_event_at: string | null;
}

export interface CredentialQuery {
  /** Selects rows with a lower id, for the next page. */
  before?: string;
  limit: number;
}

export type CredentialPage<Row> = Page<Row, string>;

export interface CredentialReadSet {
  deviceIds: string[];
  keyIds: string[];
  /** Devices and keys. The store loads the API keys that they made, directly or through other keys. */
  creators: Creator[];
}

export interface LoadedCredentials {
  devices: DeviceRow[];
  /** The API keys of the read set, and the unrevoked tokens of its devices. */
  tokens: TokenRow[];
  /** All API keys that the read set's creators made, revoked keys included, oldest first. */
  keysOfCreators: TokenRow[];
  /** The number of the account's unrevoked phones. */
  phoneCount: number;
  /** The number of the account's unrevoked devices, phones included. */
  deviceCount: number;
  /** The number of the account's unrevoked API keys. */
  keyCount: number;
  /** The number of the account's unrevoked API keys with the scope admin. */
  adminKeyCount: number;
}

export interface CredentialWrites {
  /** The store inserts each device, or replaces the row with the same id. */
  devices: DeviceRow[];
  /** The store inserts each token. If the token exists, the store writes only `revoked_at`. */
  tokens: NewTokenRow[];
  /** The new value of the account's `revocations`. */
  revocations: number;
  /** Present if the operator changes the account. */
  account?: AccountFields;
}

/**
 * The device or key that made a pairing code, and the hash of the token that it used. Each pairing gives a device a new
 * token, so the hash also shows which pairing of the device made the code.
 */
type PairingCodeMaker = Creator & { token_hash?: string };

export interface PairingCodeRow {
  code_hash: string;
  account_id: string;
  device_kind: DeviceKind;
  expires_at: string;
  created_by: PairingCodeMaker | null;
}

export type PairingCodeOrigin = Pick<PairingCodeRow, 'account_id' | 'created_by' | 'expires_at'>;

export interface PairingClaim {
  code_hash: string;
  device_id: string;
  device_kind: DeviceKind;
  now: string;
}

/** If `device_id` is null, the query finds only a code that no device has claimed. */
export type PairingCodeQuery = Omit<PairingClaim, 'device_id'> & { device_id: string | null };

/** A failed guess of a pairing code, or a code that nobody has used. An event counts for `windowMs`. */
export interface PairingEvent {
  /** Identifies a count, such as the failed guesses from one network address or the unused codes of one account. */
  counter: string;
  /** Milliseconds since 1970. */
  at: number;
  windowMs: number;
  eventsMax: number;
}

/** If the counter is full, `oldestAt` is the time of its oldest event, in milliseconds since 1970. */
export type CountPairingEventOutcome = { ok: true } | { ok: false; oldestAt: number };
