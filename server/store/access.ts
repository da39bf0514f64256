/**
 * Who may come in: tokens, devices and pairing codes. A code is looked up before its account is known, and failures are
 * counted by what they name, so those two stand on shards of their own; each verb on them is one atomic statement.
 */
import type { Plan, Scope } from '../../shared/schema/account.ts';
import type { ApiKey, Creator, Device, DeviceKind } from '../../shared/schema/auth.ts';
import type { Page } from './page.ts';

export interface AccessStore {
  createToken(token: NewTokenRow): Promise<void>;
  /** Also one that was revoked: its row says so. */
  token(key: TokenKey): Promise<TokenRow | undefined>;
  /** Notes that a token was used; no more often than its caller asks. */
  markTokenUsed(key: TokenKey, at: string): Promise<void>;
  /** The API keys, newest first. */
  keys(accountId: string, query: AccessQuery): Promise<AccessPage<ApiKey>>;
  /** Those that were ever paired, newest first. */
  devices(accountId: string, query: AccessQuery): Promise<AccessPage<Device>>;

  /** False when the code exists already. */
  createPairingCode(code: PairingCodeRow): Promise<boolean>;
  /**
   * The account of a code that lives, is for this kind of device, and was claimed by no other device. From then on it
   * is this device's.
   */
  claimPairingCode(claim: PairingClaim): Promise<PairingCodeOrigin | undefined>;
  /** The account that this claim would give; leaves the code as it is. */
  pairingCodeAccount(claim: PairingLook): Promise<PairingCodeOrigin | undefined>;
  /** Counts a failure, unless so many are counted already. */
  countFailure(failure: Failure): Promise<Counted>;
  /** Takes back one that was none. */
  forgiveFailure(failure: Pick<Failure, 'subject' | 'at'>): Promise<void>;
  /** Removes what expired before `now`. */
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
  /** The device that a `gd_` token belongs to. */
  device_id: string | null;
  last_four: string;
  created_at: string;
  /** The device or key that made this key; null for keys of the operator, keys of earlier versions and devices' tokens. */
  created_by: Creator | null;
  last_used_at: string | null;
  revoked_at: string | null;
}

/** Nobody used it yet. */
export type NewTokenRow = Omit<TokenRow, 'last_used_at'>;

export interface DeviceRow {
  /** The device's own; another account may know it too. */
  id: string;
  /** A UUID of the time of the first pairing: what lists are ordered by. */
  list_id: string;
  name: string;
  kind: DeviceKind;
  paired_at: string;
  /** When one of its tokens was used last: read with it, never written. */
  last_seen_at: string | null;
  revoked_at: string | null;
  /** The code that it was paired with last. */
  code_hash: string;
}

export interface AccessQuery {
  /** Continue a walk: only those before this position. */
  before?: string;
  limit: number;
}

export type AccessPage<Row> = Page<Row, string>;

export interface AccessWants {
  deviceIds: string[];
  /** Ids of API keys. */
  keyIds: string[];
  /** Their keys are loaded, and the keys that those made. */
  creators: Creator[];
}

export interface LoadedAccess {
  devices: DeviceRow[];
  /** The wanted keys, and the tokens of the wanted devices that are not revoked. */
  tokens: TokenRow[];
  /** The keys of the wanted creators, revoked ones too, oldest first. */
  createdKeys: TokenRow[];
  /** Phones that are not revoked. */
  phoneCount: number;
  /** API keys that are not revoked. */
  keyCount: number;
  /** Those with the scope admin. */
  adminKeyCount: number;
}

export interface AccessWrites {
  /** Inserted or replaced whole. */
  devices: DeviceRow[];
  /** Inserted; of one that exists only `revoked_at` is written. */
  tokens: NewTokenRow[];
  /** The account's counter after the transaction. */
  revocations: number;
  /** When the operator changed it. */
  account?: AccountFields;
}

/** What an operator decides of an account. */
export interface AccountFields {
  name: string;
  plan: Plan;
  additional_seats: number;
  /** Whether the operator set the seats; unset, they limit nothing. */
  seats_limited: boolean;
}

/** The device or key that made a code, with its token then: a device that is paired again has another. */
export type CodeMaker = Creator & { token_hash?: string };

export interface PairingCodeRow {
  code_hash: string;
  account_id: string;
  device_kind: DeviceKind;
  expires_at: string;
  created_by: CodeMaker | null;
}

/** The account of a code, the device or key that made it, and when it expires. */
export type PairingCodeOrigin = Pick<PairingCodeRow, 'account_id' | 'created_by' | 'expires_at'>;

export interface PairingClaim {
  code_hash: string;
  device_id: string;
  device_kind: DeviceKind;
  now: string;
}

/** Without a device it fits only a code that none has claimed. */
export type PairingLook = Omit<PairingClaim, 'device_id'> & { device_id: string | null };

export interface Failure {
  /** What failed, an address or what a guess named; or the account whose unused codes are counted the same way. */
  subject: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Only failures of so many milliseconds before `at` count. */
  windowMs: number;
  failuresMax: number;
}

/** `oldestAt`: when the failure was that will be forgotten first. */
export type Counted = { ok: true } | { ok: false; oldestAt: number };
