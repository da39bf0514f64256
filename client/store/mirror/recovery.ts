/** What a database takes from its second copy at an opening, where lineage.ts says which of the two is later. Pure. */
import type { DeviceBody } from '../rows.ts';
import { isWorkIn, numberedTwice, takenFromApart, worksIn } from './apart.ts';
import { deviceKey, isMutation, refusedKeyOf, tableOf } from './keys.ts';
import { joined, lineageOf, type Lineage } from './lineage.ts';
import type { MirrorRows } from './mirror.ts';

export interface Recovery {
  put: MirrorRows;
  removedKeys: string[];
  /** Written after all else, since only with it the database counts as whole again; undefined where it stays as it is. */
  device?: DeviceBody;
}

interface Recoverable {
  /** What the second copy has, and the database. */
  held: MirrorRows;
  standing: MirrorRows;
  /** The keys of the database's tombstones: of what it removed, and did not lose, and of what it refused. */
  removed: ReadonlySet<string>;
}

export function recoveryOf({ held: all, standing, removed }: Recoverable): Recovery {
  const isRefused = (key: string, body: unknown) => removed.has(refusedKeyOf(key, body));
  const held = rowsOf(all, (key, body) => key === deviceKey || !isRefused(key, body));
  const device = deviceIn(standing);
  const told = deviceIn(held);
  const isTrue = told && (!device || !isRefused(deviceKey, told) || hasLater(held, device));
  const mirrored = isTrue ? told : undefined;
  const lost = rowsOf(held, (key) => key !== deviceKey && !standing.has(key));
  if (!device) return { put: lost, removedKeys: [], ...(mirrored && { device: putBack(mirrored, null) }) };
  const lostHere = rowsOf(lost, (key) => !removed.has(key));
  if (!mirrored || areOfTwoAccounts(device, mirrored))
    return { put: rowsOf(lostHere, isUnsentOf(device)), removedKeys: [] };
  const lineage: Lineage = numberedTwice(held, standing).length > 0 ? 'apart' : lineageOf(device, mirrored);
  switch (lineage) {
    case 'later':
      return { put: rowsOf(lostHere, isUnsentOf(device)), removedKeys: [] };
    case 'earlier':
      return {
        put: rowsOf(held, isOtherThan(standing)),
        removedKeys: [...rowsOf(standing, isGoneFrom(all)).keys()],
        device: putBack(mirrored, device.token),
      };
    case 'apart':
      return {
        put: takenFromApart({ held, standing, lost: lostHere, device }),
        removedKeys: [],
        device: putBack(joined(device, mirrored), device.token),
      };
  }
}

/** Numbers that the database never heard of: it went back, whatever it refused once. */
const hasLater = (held: MirrorRows, { client_id, last_seq }: DeviceBody): boolean =>
  [...held.values()].some((body) => isMutation(body) && body.client_id === client_id && body.seq > last_seq);

const areOfTwoAccounts = (one: DeviceBody, other: DeviceBody): boolean =>
  one.account_id !== undefined && other.account_id !== undefined && one.account_id !== other.account_id;

/** It goes on under a new client id. */
const putBack = (device: DeviceBody, token: string | null): DeviceBody => ({
  ...device,
  token: token ?? device.token,
  is_put_back: true,
});

/**
 * Rows that alone were lost. Where the second copy was behind instead, the server has it, and knows it by its number: of
 * what waits for a person it does not, and that stays away.
 */
const isUnsentOf =
  ({ client_id }: DeviceBody) =>
  (key: string, body: unknown): boolean =>
    tableOf(key) === 'drafts' ||
    (isMutation(body) && (body.state === 'carried' || (body.state === 'pending' && body.client_id === client_id)));

/** Of a tap there is no later state. */
const isOtherThan =
  (standing: MirrorRows) =>
  (key: string, body: unknown): boolean =>
    key !== deviceKey &&
    (tableOf(key) === 'drafts' ? !standing.has(key) : JSON.stringify(standing.get(key)) !== JSON.stringify(body));

/** A draft that ended or was forgotten since, and work that has another number since. */
function isGoneFrom(held: MirrorRows): (key: string, body: unknown) => boolean {
  const works = worksIn(held);
  return (key, body) => !held.has(key) && (tableOf(key) === 'drafts' || isWorkIn(works, body));
}

const deviceIn = (rows: MirrorRows) => rows.get(deviceKey) as DeviceBody | undefined;

const rowsOf = (rows: MirrorRows, isWanted: (key: string, body: unknown) => boolean): MirrorRows =>
  new Map([...rows].filter(([key, body]) => isWanted(key, body)));
