/** Decides which API keys are revoked together with all devices of all accounts. Pure. */
import type { TokenRow } from './credentials.ts';

export type KeyRow = Pick<TokenRow, 'account_id' | 'id' | 'scopes' | 'created_by' | 'revoked_at'>;

/** The numbers of API keys that devices made. */
export interface RevokedKeyCounts {
  revoked: number;
  /** Keys that stay valid because each is the last key of its account with the scope admin. */
  kept: number;
}

interface KeyRevocationPlan {
  revoked: KeyRow[];
  kept: KeyRow[];
}

/** Finds the keys that devices made, directly or through other keys. `keys` are all keys, oldest first. */
export function planKeyRevocation(keys: KeyRow[]): KeyRevocationPlan {
  const found: KeyRevocationPlan = { revoked: [], kept: [] };
  const ofAccounts = new Map<string, KeyRow[]>();
  for (const key of keys) ofAccounts.set(key.account_id, [...(ofAccounts.get(key.account_id) ?? []), key]);
  for (const ofAccount of ofAccounts.values()) addAccountKeys(found, ofAccount);
  return found;
}

function addAccountKeys(found: KeyRevocationPlan, keys: KeyRow[]): void {
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

const isAdmin = ({ scopes }: KeyRow): boolean => scopes.includes('admin');
