/** The scopes of tokens: each scope permits a kind of request. */
import type { Scope } from '../../shared/schema/account.ts';
import type { DeviceKind } from '../../shared/schema/auth.ts';

/** Responses list scopes in this order. */
export const allScopes: Scope[] = ['read', 'record', 'write', 'admin'];

/** A phone belongs to one person. A wearable is lent to several people, so it may only read maps and record. */
export const deviceScopes: Record<DeviceKind, Scope[]> = { phone: allScopes, wearable: ['read', 'record'] };

export function orderedScopes(scopes: Scope[]): Scope[] {
  return allScopes.filter((scope) => scopes.includes(scope));
}
