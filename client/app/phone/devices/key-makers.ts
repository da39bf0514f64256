/** Who made a key, and which keys go with a device that made them. Pure. */
import type { ApiKey } from '../../../../shared/schema/auth.ts';
import type { PairedDevice } from '../../../client.ts';
import { keyTexts } from '../../text/phone-devices.ts';

const { by } = keyTexts;

/** In words; undefined where an earlier server does not tell. */
export function makerOf({ created_by: maker }: ApiKey, keys: ApiKey[], devices: PairedDevice[]): string | undefined {
  if (maker === undefined) return undefined;
  if (maker === null) return by.operator;
  if (maker.kind === 'device') return by.device(devices.find(({ id }) => id === maker.id)?.name);
  const key = keys.find(({ id }) => id === maker.id);
  return by.key(key && { name: key.name, lastFour: key.last_four });
}

/** How many keys the server revokes with a device; `keys` are all of the account, newest first. */
export function keysThatGo(keys: ApiKey[], deviceId: string): number {
  const made = new Set<string>();
  for (const { id, created_by: maker } of keys.toReversed()) {
    if (maker && (maker.kind === 'device' ? maker.id === deviceId : made.has(maker.id))) made.add(id);
  }
  const live = keys.filter(({ revoked_at }) => revoked_at === null);
  const going = live.filter(({ id }) => made.has(id));
  // The last key that may manage devices and keys stays.
  const admins = live.filter(({ scopes }) => scopes.includes('admin'));
  const wouldTakeAll = admins.length > 0 && admins.every(({ id }) => made.has(id));
  return going.length - Number(wouldTakeAll);
}
