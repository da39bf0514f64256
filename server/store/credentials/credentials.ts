/**
 * Credentials: tokens, devices and pairing codes. Pairing codes and failed guesses are not sharded by account, since a code
 * is looked up before its account is known. Each method on them is therefore one atomic statement.
 */
import type { Scope } from '../../../shared/schema/account.ts';
import type { ApiKey, Creator, Device, DeviceKind } from '../../../shared/schema/auth.ts';
import type { AccountFields } from '../account-row.ts';
import type { Page } from '../page.ts';

export interface CredentialStore {
  createToken(token: NewTokenRow): Promise<void>;
  /** Returns revoked tokens, too, with their `revoked_at`. */
  token(key: TokenKey): Promise<TokenRow | undefined>;
  /** Stores the instant of a token's use, unless a later one is stored. */
  markTokenUsed(key: TokenKey, at: string): Promise<void>;
  /** The API keys of an account, revoked ones included, newest first. */
  keys(accountId: string, query: CredentialQuery): Promise<CredentialPage<ApiKey>>;
  /** The devices of an account, revoked ones included, newest first. */
  devices(accountId: string, query: CredentialQuery): Promise<CredentialPage<Device>>;

  /** False when the code exists already. */
  createPairingCode(code: PairingCodeRow): Promise<boolean>;
  /** Claims an unexpired code of the device's kind that no other device claimed, and returns the code's origin. */
  claimPairingCode(claim: PairingClaim): Promise<PairingCodeOrigin | undefined>;
  /** Returns what `claimPairingCode` would return, without claiming the code. */
  pairingCodeOrigin(query: PairingQuery): Promise<PairingCodeOrigin | undefined>;
  /** Counts a failure unless `failuresMax` recent failures are counted already. */
  countEvent(failure: LimitedEvent): Promise<EventCount>;
  /** Removes one counted failure, because the guess was right. */
  uncountEvent(failure: Pick<LimitedEvent, 'counter' | 'at'>): Promise<void>;
  /** Deletes codes and failures that expired before `now`. */
  sweepPairing(now: string): Promise<void>;
}

export interface TokenKey {
  accountId: string;
  tokenHash: string;
}

/** A token's row. The token itself is never stored, only `token_hash`, its SHA-256 in hex. */
export interface TokenRow {
  account_id: string;
  token_hash: string;
  id: string;
  kind: 'key' | 'device';
  name: string;
  scopes: Scope[];
  /** The device that a token with the prefix `gd_` belongs to; null for API keys. */
  device_id: string | null;
  last_four: string;
  created_at: string;
  /** The device or key that made this API key; null for the operator's keys, for older keys and for devices' tokens. */
  created_by: Creator | null;
  last_used_at: string | null;
  revoked_at: string | null;
}

export type NewTokenRow = Omit<TokenRow, 'last_used_at'>;

export interface DeviceRow {
  /** The device makes its own id; two accounts may know one device. */
  id: string;
  /** A UUID with the time of the first pairing; lists are ordered by it. */
  list_id: string;
  name: string;
  kind: DeviceKind;
  paired_at: string;
  /** The last use of any of the device's tokens. Computed when the row is read, never written. */
  last_seen_at: string | null;
  revoked_at: string | null;
  /** The hash of the code of the last pairing. */
  code_hash: string;
}

export interface CredentialQuery {
  /** Returns only rows before this id, to continue a list. */
  before?: string;
  limit: number;
}

export type CredentialPage<Row> = Page<Row, string>;

export interface CredentialReadSet {
  deviceIds: string[];
  /** Ids of API keys. */
  keyIds: string[];
  /** Loads the keys that these devices and keys made, and the keys that those keys made in turn. */
  creators: Creator[];
}

export interface LoadedCredentials {
  devices: DeviceRow[];
  /** The keys of the read set, and the unrevoked tokens of its devices. */
  tokens: TokenRow[];
  /** The keys that the creators of the read set made, revoked ones included, oldest first. */
  createdKeys: TokenRow[];
  /** The number of phones that are not revoked. */
  phoneCount: number;
  /** The number of API keys that are not revoked. */
  keyCount: number;
  /** The number of unrevoked API keys with the scope admin. */
  adminKeyCount: number;
}

export interface CredentialWrites {
  /** Each device is inserted, or replaces the stored one. */
  devices: DeviceRow[];
  /** Each token is inserted; if it exists, only its `revoked_at` changes. */
  tokens: NewTokenRow[];
  /** The account's `revocations` after the transaction. */
  revocations: number;
  /** Present when the operator changes the account. */
  account?: AccountFields;
}

/** The device or key that made a code, with its token at that time. A device that is paired again has another token. */
export type CodeMaker = Creator & { token_hash?: string };

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

/** With a `device_id` of null, only an unclaimed code matches. */
export type PairingQuery = Omit<PairingClaim, 'device_id'> & { device_id: string | null };

export interface LimitedEvent {
  /** The counter: an address, the first half of a guessed code, or an account whose unused codes are counted alike. */
  counter: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Only failures within this many milliseconds before `at` count. */
  windowMs: number;
  eventsMax: number;
}

/** `oldestAt` is the instant of the oldest counted failure, in milliseconds since 1970. */
export type EventCount = { ok: true } | { ok: false; oldestAt: number };
