/** Says who created a key, and counts the keys that the server revokes with a device. Pure. */
import type { ApiKey } from '../../../../shared/schema/auth.ts';
import type { PairedDevice } from '../../../client.ts';
import { keyTexts } from '../../text/phone-on-demand.ts';

const { creators } = keyTexts;

/** Says who created a key; undefined if an older server left out the creator. */
export function creatorText(
  { created_by: creator }: ApiKey,
  keys: ApiKey[],
  devices: PairedDevice[],
): string | undefined {
  if (creator === undefined) return undefined;
  if (creator === null) return creators.operator;
  if (creator.kind === 'device') return creators.device(devices.find(({ id }) => id === creator.id)?.name);
  const key = keys.find(({ id }) => id === creator.id);
  return creators.key(key && { name: key.name, lastFour: key.last_four });
}

/**
 * Counts the keys that a device created, directly or by other keys. `keys` has all keys of the account, newest first.
 */
export function keysRevokedWith(keys: ApiKey[], deviceId: string): number {
  const created = new Set<string>();
  for (const { id, created_by: creator } of keys.toReversed()) {
    if (creator && (creator.kind === 'device' ? creator.id === deviceId : created.has(creator.id))) created.add(id);
  }
  const active = keys.filter(({ revoked_at }) => revoked_at === null);
  const revoked = active.filter(({ id }) => created.has(id));
  // The server never revokes the account's last key that can manage devices and keys.
  const admins = active.filter(({ scopes }) => scopes.includes('admin'));
  const includesAllAdmins = admins.length > 0 && admins.every(({ id }) => created.has(id));
  return revoked.length - Number(includesAllAdmins);
}
