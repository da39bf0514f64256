/** The account's fields, devices and tokens that one transaction works on, as it found them and as it leaves them. */
import type { AccountPatch } from '../../shared/schema/account.ts';
import { keysPerAccountMax } from '../../shared/schema/limits.ts';
import type { AccessWrites, AccountFields, DeviceRow, LoadedAccess, NewTokenRow, TokenRow } from '../store/access.ts';
import type { AccountRow } from '../store/store.ts';
import { phonesMax } from './account-record.ts';

export class Access {
  readonly #account: AccountRow;
  readonly #loaded: LoadedAccess;
  readonly #devices: DeviceRow[] = [];
  readonly #tokens: NewTokenRow[] = [];
  #fields: AccountFields | undefined;

  constructor(account: AccountRow, loaded: LoadedAccess) {
    this.#account = account;
    this.#loaded = loaded;
  }

  get account(): AccountRow {
    return { ...this.#account, ...this.#fields };
  }

  changeAccount({ name, plan, additional_seats: seats }: AccountPatch): void {
    const { account } = this;
    this.#fields = {
      name: name?.trim() ?? account.name,
      plan: plan ?? account.plan,
      additional_seats: seats === undefined ? account.additional_seats : (seats ?? 0),
      seats_limited: seats === undefined ? account.seats_limited : seats !== null,
    };
  }

  device(id: string): DeviceRow | undefined {
    return this.#loaded.devices.find((device) => device.id === id);
  }

  key(id: string): TokenRow | undefined {
    return this.#loaded.tokens.find((token) => token.kind === 'key' && token.id === id);
  }

  /** How many phones the account may have, when this one would be one more than that. */
  seatLimit(device: Pick<DeviceRow, 'id' | 'kind'>): number | undefined {
    const known = this.device(device.id);
    const hasSeat = known?.kind === 'phone' && known.revoked_at === null;
    const phonesAtMost = phonesMax(this.account);
    if (device.kind !== 'phone' || hasSeat || phonesAtMost === null) return undefined;
    return this.#loaded.phoneCount >= phonesAtMost ? phonesAtMost : undefined;
  }

  /** How many API keys the account may have, when one more would be too many. */
  keyLimit(): number | undefined {
    return this.#loaded.keyCount >= keysPerAccountMax ? keysPerAccountMax : undefined;
  }

  hasAdminKey(): boolean {
    return this.#loaded.adminKeyCount > 0;
  }

  isLastAdminKey(key: TokenRow): boolean {
    return key.revoked_at === null && key.scopes.includes('admin') && this.#loaded.adminKeyCount <= 1;
  }

  /** The device's tokens so far stop. */
  pair(device: DeviceRow, token: NewTokenRow, now: string): void {
    this.#revokeTokensOf(device.id, now);
    this.#devices.push(device);
    this.#tokens.push(token);
  }

  renameDevice(device: DeviceRow, name: string): DeviceRow {
    if (device.name === name) return device;
    const renamed = { ...device, name };
    this.#devices.push(renamed);
    return renamed;
  }

  revokeDevice(device: DeviceRow, now: string): DeviceRow {
    if (device.revoked_at !== null) return device;
    this.#revokeTokensOf(device.id, now);
    const revoked = { ...device, revoked_at: now };
    this.#devices.push(revoked);
    return revoked;
  }

  addKey(key: NewTokenRow): void {
    this.#tokens.push(key);
  }

  revokeKey(key: TokenRow, now: string): TokenRow {
    if (key.revoked_at !== null) return key;
    const revoked = { ...key, revoked_at: now };
    this.#tokens.push(revoked);
    return revoked;
  }

  /** Undefined when nothing changed. */
  writes(): AccessWrites | undefined {
    if (this.#devices.length + this.#tokens.length === 0 && !this.#fields) return undefined;
    const revoked = this.#tokens.some((token) => token.revoked_at !== null);
    return {
      devices: this.#devices,
      tokens: this.#tokens,
      revocations: this.#account.revocations + Number(revoked),
      ...(this.#fields ? { account: this.#fields } : {}),
    };
  }

  #revokeTokensOf(deviceId: string, now: string): void {
    const live = this.#loaded.tokens.filter((token) => token.device_id === deviceId && token.revoked_at === null);
    this.#tokens.push(...live.map((token) => ({ ...token, revoked_at: now })));
  }
}
