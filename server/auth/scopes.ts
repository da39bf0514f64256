/** What a token may do. */
import type { Scope } from '../../shared/schema/account.ts';
import type { DeviceKind } from '../../shared/schema/auth.ts';

/** In the order in which they are listed everywhere. */
export const allScopes: Scope[] = ['read', 'record', 'write', 'admin'];

/** A phone is its owner's, a wearable is lent out: it reads maps and records. */
export const scopesOf: Record<DeviceKind, Scope[]> = { phone: allScopes, wearable: ['read', 'record'] };

export function ordered(scopes: Scope[]): Scope[] {
  return allScopes.filter((scope) => scopes.includes(scope));
}
