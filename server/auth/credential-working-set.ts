/** The credentials that one transaction loaded, with the changes that the transaction makes to them. */
import type { AccountPatch } from '../../shared/schema/account.ts';
import type { Creator } from '../../shared/schema/auth.ts';
import { keysPerAccountMax } from '../../shared/schema/limits.ts';
import type {
  CredentialWrites,
  DeviceRow,
  LoadedCredentials,
  NewTokenRow,
  TokenRow,
} from '../store/credentials/credentials.ts';
import type { EventType } from '../../shared/schema/integration/event-types.ts';
import type { AccountFields, AccountRow } from '../store/account-row.ts';
import { phonesMax } from './api-account.ts';

export class CredentialWorkingSet {
  readonly #account: AccountRow;
  readonly #loaded: LoadedCredentials;
  readonly #devices: DeviceRow[] = [];
  readonly #tokens: NewTokenRow[] = [];
  /** The events that the transaction adds, in the order of its changes. */
  readonly events: { type: EventType; subjectId: string }[] = [];
  #fields: AccountFields | undefined;

  constructor(account: AccountRow, loaded: LoadedCredentials) {
    this.#account = account;
    this.#loaded = loaded;
  }

  get account(): AccountRow {
    return { ...this.#account, ...this.#fields };
  }

  changeAccount({ name, plan, additional_seats: seats }: AccountPatch): void {
    const { account } = this;
    const fields: AccountFields = {
      name: name?.trim() ?? account.name,
      plan: plan ?? account.plan,
      additional_seats: seats === undefined ? account.additional_seats : (seats ?? 0),
      seats_limited: seats === undefined ? account.seats_limited : seats !== null,
    };
    const isChanged = Object.entries(fields).some(([field, value]) => account[field as keyof AccountFields] !== value);
    if (!isChanged) return;
    this.#fields = fields;
    this.#addEvent('account.changed', account.id);
  }

  /**
   * The counts of the account's paired phones and devices, as loaded. The changes of this transaction are not counted.
   */
  get pairedCounts(): Pick<LoadedCredentials, 'phoneCount' | 'deviceCount'> {
    return this.#loaded;
  }

  device(id: string): DeviceRow | undefined {
    return this.#loaded.devices.find((device) => device.id === id);
  }

  key(id: string): TokenRow | undefined {
    return this.#loaded.tokens.find((token) => token.kind === 'key' && token.id === id);
  }

  /** Returns the account's limit of phones if pairing this device would exceed the limit, else undefined. */
  exceededPhoneLimit(device: Pick<DeviceRow, 'id' | 'kind'>): number | undefined {
    const known = this.device(device.id);
    const hasSeat = known?.kind === 'phone' && known.revoked_at === null;
    const phonesAtMost = phonesMax(this.account);
    if (device.kind !== 'phone' || hasSeat || phonesAtMost === null) return undefined;
    return this.#loaded.phoneCount >= phonesAtMost ? phonesAtMost : undefined;
  }

  /** Returns the account's limit of API keys if one more key would exceed the limit, else undefined. */
  exceededKeyLimit(): number | undefined {
    return this.#loaded.keyCount >= keysPerAccountMax ? keysPerAccountMax : undefined;
  }

  hasAdminKey(): boolean {
    return this.#loaded.adminKeyCount > 0;
  }

  isLastAdminKey(key: TokenRow): boolean {
    return key.revoked_at === null && key.scopes.includes('admin') && this.#adminKeysLeft() <= 1;
  }

  /** Adds the device with its new token, and revokes the device's earlier tokens. */
  pair(device: DeviceRow, token: NewTokenRow, now: string): void {
    const known = this.device(device.id);
    this.#revokeTokensOf(device.id, now);
    this.#devices.push(device);
    this.#tokens.push(token);
    // A paired device that got no reply sends its code again. The repeated code adds no second event.
    if (known?.revoked_at !== null || known.code_hash !== device.code_hash) this.#addEvent('device.paired', device.id);
  }

  renameDevice(device: DeviceRow, name: string): DeviceRow {
    if (device.name === name) return device;
    const renamed = { ...device, name };
    this.#devices.push(renamed);
    this.#addEvent('device.updated', device.id);
    return renamed;
  }

  revokeDevice(device: DeviceRow, now: string): DeviceRow {
    if (device.revoked_at !== null) return device;
    this.#revokeTokensOf(device.id, now);
    const revoked = { ...device, revoked_at: now };
    this.#devices.push(revoked);
    this.#addEvent('device.revoked', device.id);
    return revoked;
  }

  /**
   * Adds the event `device.silent` if the device was last seen, or else paired, at `seenMax` or earlier. Adds no event
   * if the device is revoked, or if it already has the event since it was last seen or paired.
   */
  addSilence(device: DeviceRow, { seenMax, now }: { seenMax: string; now: string }): void {
    const seenAt = device.last_seen_at ?? device.paired_at;
    const hasEvent = device.silent_event_at !== null && device.silent_event_at >= seenAt;
    if (device.revoked_at !== null || seenAt > seenMax || hasEvent) return;
    this.#devices.push({ ...device, silent_event_at: now });
    this.#addEvent('device.silent', device.id);
  }

  addKey(key: NewTokenRow): void {
    this.#tokens.push(key);
    this.#addEvent('key.created', key.id);
  }

  revokeKey(key: TokenRow, now: string): TokenRow {
    if (key.revoked_at !== null) return key;
    const revoked = { ...key, revoked_at: now };
    this.#tokens.push(revoked);
    this.#addEvent('key.revoked', key.id);
    return revoked;
  }

  /**
   * Revokes the API keys that the devices or keys in the read set's `creators` made, directly or through other keys.
   * Keeps the account's last admin key, since without it only the operator could make another key.
   */
  revokeKeysOfCreators(now: string): void {
    for (const key of this.#loaded.keysOfCreators) if (!this.isLastAdminKey(key)) this.revokeKey(key, now);
  }

  /**
   * Returns the ids of the API keys that the devices or keys in the read set's `creators` made, directly or through
   * other keys. One list has the keys that were revoked at `since` or later, and the other the valid keys.
   */
  keyIdsOfCreators(since: string): { revoked_keys: string[]; kept_keys: string[] } {
    const keys = this.#loaded.keysOfCreators.map((key) => this.#tokens.find(({ id }) => id === key.id) ?? key);
    const revoked = keys.filter(({ revoked_at: at }) => at !== null && at >= since);
    const kept = keys.filter(({ revoked_at: at }) => at === null);
    return { revoked_keys: revoked.map(({ id }) => id), kept_keys: kept.map(({ id }) => id) };
  }

  /** Returns true if the creator is revoked or does not exist. The transaction's read set must name the creator. */
  isRevoked({ kind, id }: Creator): boolean {
    const row = kind === 'device' ? this.device(id) : this.key(id);
    return !row || row.revoked_at !== null;
  }

  /** Returns the changes to store, or undefined if there are none. */
  writes(): CredentialWrites | undefined {
    if (this.#devices.length + this.#tokens.length === 0 && !this.#fields) return undefined;
    const revoked = this.#tokens.some((token) => token.revoked_at !== null);
    return {
      devices: this.#devices,
      tokens: this.#tokens,
      revocations: this.#account.revocations + Number(revoked),
      ...(this.#fields ? { account: this.#fields } : {}),
    };
  }

  #addEvent(type: EventType, subjectId: string): void {
    this.events.push({ type, subjectId });
  }

  #adminKeysLeft(): number {
    const revoked = this.#tokens.filter(
      ({ kind, scopes, revoked_at }) => kind === 'key' && scopes.includes('admin') && revoked_at !== null,
    );
    return this.#loaded.adminKeyCount - revoked.length;
  }

  #revokeTokensOf(deviceId: string, now: string): void {
    const live = this.#loaded.tokens.filter((token) => token.device_id === deviceId && token.revoked_at === null);
    this.#tokens.push(...live.map((token) => ({ ...token, revoked_at: now })));
  }
}
