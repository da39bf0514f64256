/** Which keys go when all devices of all accounts are revoked. Pure. */
import type { TokenRow } from './access.ts';

export type Key = Pick<TokenRow, 'account_id' | 'id' | 'scopes' | 'created_by' | 'revoked_at'>;

/** What was revoked beside the devices. */
export interface RevokedKeys {
  revoked: number;
  /** Each would be the last of its account with the scope admin. */
  kept: number;
}

interface KeysOfDevices {
  revoked: Key[];
  kept: Key[];
}

/** The keys that devices made and those that these made, of all accounts; `keys` are all there are, oldest first. */
export function keysOfDevices(keys: Key[]): KeysOfDevices {
  const found: KeysOfDevices = { revoked: [], kept: [] };
  const ofAccounts = new Map<string, Key[]>();
  for (const key of keys) ofAccounts.set(key.account_id, [...(ofAccounts.get(key.account_id) ?? []), key]);
  for (const ofAccount of ofAccounts.values()) add(found, ofAccount);
  return found;
}

function add(found: KeysOfDevices, keys: Key[]): void {
  const made = new Set<string>();
  // A key is younger than the one that made it.
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
