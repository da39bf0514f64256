/**
 * Revoking all devices of all accounts also revokes the API keys that devices made, except for an account's last key
 * with the scope `admin`. This file decides which keys are revoked. Pure.
 */
import type { TokenRow } from './credentials.ts';

export type ApiKeyRow = Pick<TokenRow, 'account_id' | 'id' | 'scopes' | 'created_by' | 'revoked_at'>;

export interface RevokedKeyCounts {
  revoked: number;
  /** The number of keys that stay valid. Each one is the last key with the scope `admin` in its account. */
  kept: number;
}

interface KeyRevocationPlan {
  revoked: ApiKeyRow[];
  kept: ApiKeyRow[];
}

/**
 * Plans the revocation of the keys that devices made, directly or through other keys. `keys` has all keys of the store,
 * oldest first.
 */
export function planKeyRevocation(keys: ApiKeyRow[]): KeyRevocationPlan {
  const plan: KeyRevocationPlan = { revoked: [], kept: [] };
  const keysByAccount = new Map<string, ApiKeyRow[]>();
  for (const key of keys) keysByAccount.set(key.account_id, [...(keysByAccount.get(key.account_id) ?? []), key]);
  for (const accountKeys of keysByAccount.values()) addAccountToPlan(plan, accountKeys);
  return plan;
}

function addAccountToPlan(plan: KeyRevocationPlan, keys: ApiKeyRow[]): void {
  const madeByDevices = new Set<string>();
  // A key comes after its maker, so one pass also finds the keys that other keys made.
  for (const { id, created_by: maker } of keys) {
    if (maker && (maker.kind === 'device' || madeByDevices.has(maker.id))) madeByDevices.add(id);
  }
  const live = keys.filter(({ revoked_at }) => revoked_at === null);
  let adminKeys = live.filter(isAdminKey).length;
  for (const key of live.filter(({ id }) => madeByDevices.has(id))) {
    const isLast = isAdminKey(key) && adminKeys === 1;
    if (isAdminKey(key) && !isLast) adminKeys -= 1;
    (isLast ? plan.kept : plan.revoked).push(key);
  }
}

const isAdminKey = ({ scopes }: ApiKeyRow): boolean => scopes.includes('admin');
