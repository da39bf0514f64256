/**
 * Credentials: tokens, devices and pairing codes. Pairing codes are not stored by account, since the server looks up a code
 * before it knows the account. No account's lock protects pairing codes, so each method on them and on events is atomic.
 */
import type { Scope } from '../../../shared/schema/account.ts';
import type { ApiKey, Creator, Device, DeviceKind } from '../../../shared/schema/auth.ts';
import type { AccountFields } from '../account-row.ts';
import type { Page } from '../page.ts';

export interface CredentialStore {
  createToken(token: NewTokenRow): Promise<void>;
  /** Returns the token's row even if the token is revoked. */
  token(key: TokenRowKey): Promise<TokenRow | undefined>;
  /** Stores when a token was used, unless the store has a later use. */
  markTokenUsed(key: TokenRowKey, at: string): Promise<void>;
  /** Lists the account's API keys, newest first, including revoked keys. */
  keys(accountId: string, query: CredentialQuery): Promise<CredentialPage<ApiKey>>;
  /** Lists the account's devices, newest first, including revoked devices. */
  devices(accountId: string, query: CredentialQuery): Promise<CredentialPage<Device>>;

  /** Returns false if the code exists already. */
  createPairingCode(code: PairingCodeRow): Promise<boolean>;
  /**
   * Claims a code for a device and returns the code's origin. Returns undefined if the code expired, is for another kind of
   * device, or is claimed by another device.
   */
  claimPairingCode(claim: PairingClaim): Promise<PairingCodeOrigin | undefined>;
  /** Returns the result of `claimPairingCode` but does not claim the code. */
  pairingCodeOrigin(query: PairingQuery): Promise<PairingCodeOrigin | undefined>;
  /** Counts an event, unless the counter has `eventsMax` events in the window already. */
  countEvent(event: LimitedEvent): Promise<EventCount>;
  /** Removes one counted event, after a guess was right or a code was used. */
  uncountEvent(event: Pick<LimitedEvent, 'counter' | 'at'>): Promise<void>;
  /** Deletes the codes and events that expired before `now`. */
  sweepPairing(now: string): Promise<void>;
}

export interface TokenRowKey {
  accountId: string;
  tokenHash: string;
}

/** The row of a token. The store never has the token itself, only `token_hash`, its SHA-256 in hex. */
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
  /** The device or key that made this API key. null for keys of the operator or an earlier server, and for devices' tokens. */
  created_by: Creator | null;
  last_used_at: string | null;
  revoked_at: string | null;
}

export type NewTokenRow = Omit<TokenRow, 'last_used_at'>;

export interface DeviceRow {
  /** The device makes its own id. The same device can be paired with several accounts. */
  id: string;
  /** A UUID that has the time of the first pairing. Lists have this order. */
  list_id: string;
  name: string;
  kind: DeviceKind;
  paired_at: string;
  /** When a token of the device was last used. The store computes it from the tokens and does not write it. */
  last_seen_at: string | null;
  revoked_at: string | null;
  /** The hash of the pairing code that the device used last. */
  code_hash: string;
}

export interface CredentialQuery {
  /** The list continues with the rows before this id. */
  before?: string;
  limit: number;
}

export type CredentialPage<Row> = Page<Row, string>;

export interface CredentialReadSet {
  deviceIds: string[];
  /** Ids of API keys. */
  keyIds: string[];
  /** Loads the API keys that these devices and keys made, directly or through other keys. */
  creators: Creator[];
}

export interface LoadedCredentials {
  devices: DeviceRow[];
  /** The API keys of the read set, and the valid tokens of the read set's devices. */
  tokens: TokenRow[];
  /** The API keys that the read set's creators made, oldest first, including revoked keys. */
  createdKeys: TokenRow[];
  /** The number of valid phones of the account. */
  phoneCount: number;
  /** The number of valid API keys of the account. */
  keyCount: number;
  /** The number of valid API keys with the scope admin. */
  adminKeyCount: number;
}

export interface CredentialWrites {
  /** The store inserts each device, or replaces the row with the same id. */
  devices: DeviceRow[];
  /** The store inserts each token. If the token exists, the store writes only `revoked_at`. */
  tokens: NewTokenRow[];
  /** The new value of the account's `revocations`. */
  revocations: number;
  /** Present when the operator changes the account. */
  account?: AccountFields;
}

/** The device or key that made a pairing code, and the token that it used. A device that is paired again has a new token. */
type CodeMaker = Creator & { token_hash?: string };

export interface PairingCodeRow {
  code_hash: string;
  account_id: string;
  device_kind: DeviceKind;
  expires_at: string;
  created_by: CodeMaker | null;
}

export type PairingCodeOrigin = Pick<PairingCodeRow, 'account_id' | 'created_by' | 'expires_at'>;

export interface PairingClaim {
  code_hash: string;
  device_id: string;
  device_kind: DeviceKind;
  now: string;
}

/** If `device_id` is null, only a code that no device claimed matches. */
export type PairingQuery = Omit<PairingClaim, 'device_id'> & { device_id: string | null };

/** A failed guess or an unused code. It counts for `windowMs`, and a counter has at most `eventsMax` events. */
export interface LimitedEvent {
  /** Events with equal counters count together: failures of an address or of half a code, unused codes of an account. */
  counter: string;
  /** Milliseconds since 1970. */
  at: number;
  windowMs: number;
  eventsMax: number;
}

/** `oldestAt` is when the counter's oldest event happened, in milliseconds since 1970. */
export type EventCount = { ok: true } | { ok: false; oldestAt: number };
