/** The scopes of tokens: each scope permits a kind of request. */
import type { Scope } from '../../shared/schema/account.ts';
import type { DeviceKind } from '../../shared/schema/auth.ts';

/** Responses list scopes in this order. */
export const allScopes: Scope[] = ['read', 'record', 'write', 'admin'];

/**
 * A phone and a desk belong to one person. A wearable is lent to several people, so it may only read maps and record.
 */
export const deviceScopes: Record<DeviceKind, Scope[]> = {
  phone: allScopes,
  desk: allScopes,
  wearable: ['read', 'record'],
};

/** A paired device may be paired again as another kind only if both kinds have the same scopes. */
export const haveSameScopes = (one: DeviceKind, other: DeviceKind): boolean =>
  String(deviceScopes[one]) === String(deviceScopes[other]);

export function orderedScopes(scopes: Scope[]): Scope[] {
  return allScopes.filter((scope) => scopes.includes(scope));
}
