import type { ApiKey, PairedDevice } from '../../../client.ts';
import { keyTexts } from '../../text/phone-on-demand.ts';

/** Returns a text that names the creator of a key; undefined if an older server does not name the creator. */
export function keyCreatorText(
  { created_by: creator }: ApiKey,
  keys: ApiKey[],
  devices: PairedDevice[],
): string | undefined {
  const { creators } = keyTexts;
  if (creator === undefined) return undefined;
  if (creator === null) return creators.operator;
  if (creator.kind === 'device') return creators.device(devices.find(({ id }) => id === creator.id)?.name);
  const key = keys.find(({ id }) => id === creator.id);
  return creators.key(key && { name: key.name, lastFour: key.last_four });
}

/**
 * Counts the keys that the server revokes with a device: the keys that the device created, the keys that these keys
 * created, and so on. `keys` has all keys of the account, the newest first.
 */
export function countKeysRevokedWith(keys: ApiKey[], deviceId: string): number {
  const created = new Set<string>();
  for (const { id, created_by: creator } of keys.toReversed()) {
    if (creator && (creator.kind === 'device' ? creator.id === deviceId : created.has(creator.id))) created.add(id);
  }
  const active = keys.filter(({ revoked_at }) => revoked_at === null);
  const revoked = active.filter(({ id }) => created.has(id));
  // The server keeps the account's last key with the scope `admin`.
  const admins = active.filter(({ scopes }) => scopes.includes('admin'));
  const includesAllAdmins = admins.length > 0 && admins.every(({ id }) => created.has(id));
  return revoked.length - Number(includesAllAdmins);
}
