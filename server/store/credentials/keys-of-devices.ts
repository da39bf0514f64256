/** Decides which API keys are revoked together with all devices of all accounts. Pure. */
import type { TokenRow } from './credentials.ts';

export type Key = Pick<TokenRow, 'account_id' | 'id' | 'scopes' | 'created_by' | 'revoked_at'>;

/** The numbers of API keys that devices made. */
export interface RevokedKeys {
  revoked: number;
  /** Keys that stay valid because each is the last key of its account with the scope admin. */
  kept: number;
}

interface KeysOfDevices {
  revoked: Key[];
  kept: Key[];
}

/** Finds the keys that devices made, directly or through other keys. `keys` are all keys, oldest first. */
export function keysOfDevices(keys: Key[]): KeysOfDevices {
  const found: KeysOfDevices = { revoked: [], kept: [] };
  const ofAccounts = new Map<string, Key[]>();
  for (const key of keys) ofAccounts.set(key.account_id, [...(ofAccounts.get(key.account_id) ?? []), key]);
  for (const ofAccount of ofAccounts.values()) add(found, ofAccount);
  return found;
}

function add(found: KeysOfDevices, keys: Key[]): void {
  const made = new Set<string>();
  // One pass is enough, since a key is younger than its maker.
  for (const { id, created_by: maker } of keys) {
    if (maker && (maker.kind === 'device' || made.has(maker.id))) made.add(id);
  }
  const live = keys.filter(({ revoked_at }) => revoked_at === null);
  let adminKeys = live.filter(isAdmin).length;
  for (const key of live.filter(({ id }) => made.has(id))) {
    const isLast = isAdmin(key) && adminKeys === 1;
    if (isAdmin(key) && !isLast) adminKeys -= 1;
    (isLast ? found.kept : found.revoked).push(key);
  }
}

const isAdmin = ({ scopes }: Key): boolean => scopes.includes('admin');
