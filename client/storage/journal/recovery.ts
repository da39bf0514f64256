/**
 * Decides which rows of the journal a database takes back when it opens; lineage.ts tells which of the two is later.
 * Pure.
 */
import type { DeviceBody } from '../rows.ts';
import { isWorkIn, numberedTwice, takenFromDiverged, worksIn } from './diverged.ts';
import { deviceKey, isMutation, refusedKeyOf, tableOf } from './keys.ts';
import { joined, lineageOf, type Lineage } from './lineage.ts';
import type { JournalRows } from './mirror.ts';

export interface Recovery {
  put: JournalRows;
  removedKeys: string[];
  /** Written last, since it marks the database as complete; undefined if it does not change. */
  device?: DeviceBody;
}

interface Recoverable {
  /** The journal's rows. */
  held: JournalRows;
  /** The database's rows. */
  standing: JournalRows;
  /** The keys of the database's tombstones: rows that it removed or refused, and so did not lose. */
  removed: ReadonlySet<string>;
}

export function recoveryOf({ held: all, standing, removed }: Recoverable): Recovery {
  const isRefused = (key: string, body: unknown) => removed.has(refusedKeyOf(key, body));
  const held = rowsOf(all, (key, body) => key === deviceKey || !isRefused(key, body));
  const device = deviceIn(standing);
  const heldDevice = deviceIn(held);
  const isValid = heldDevice && (!device || !isRefused(deviceKey, heldDevice) || hasHigherNumbers(held, device));
  const journaled = isValid ? heldDevice : undefined;
  const lost = rowsOf(held, (key) => key !== deviceKey && !standing.has(key));
  if (!device) return { put: lost, removedKeys: [], ...(journaled && { device: putBack(journaled, null) }) };
  const lostHere = rowsOf(lost, (key) => !removed.has(key));
  if (!journaled || areOfTwoAccounts(device, journaled))
    return { put: rowsOf(lostHere, isUnsentOf(device)), removedKeys: [] };
  const lineage: Lineage = numberedTwice(held, standing).length > 0 ? 'diverged' : lineageOf(device, journaled);
  switch (lineage) {
    case 'later':
      return { put: rowsOf(lostHere, isUnsentOf(device)), removedKeys: [] };
    case 'earlier':
      return {
        put: rowsOf(held, differsFrom(standing)),
        removedKeys: [...rowsOf(standing, isGoneFrom(all)).keys()],
        device: putBack(journaled, device.token),
      };
    case 'diverged':
      return {
        put: takenFromDiverged({ held, standing, lost: lostHere, device }),
        removedKeys: [],
        device: putBack(joined(device, journaled), device.token),
      };
  }
}

/** Tells whether the journal has higher numbers than the database. Then the database must be an earlier state. */
const hasHigherNumbers = (held: JournalRows, { client_id, last_seq }: DeviceBody): boolean =>
  [...held.values()].some((body) => isMutation(body) && body.client_id === client_id && body.seq > last_seq);

const areOfTwoAccounts = (one: DeviceBody, other: DeviceBody): boolean =>
  one.account_id !== undefined && other.account_id !== undefined && one.account_id !== other.account_id;

/** Marks the device row so that the device continues under a new client id. */
const putBack = (device: DeviceBody, token: string | null): DeviceBody => ({
  ...device,
  token: token ?? device.token,
  is_put_back: true,
});

/**
 * Finds rows that are safe to restore if the journal was only behind: the server recognises a repeated mutation by its
 * number. Refused mutations are left out, since no number shows that they were refused before.
 */
const isUnsentOf =
  ({ client_id }: DeviceBody) =>
  (key: string, body: unknown): boolean =>
    tableOf(key) === 'drafts' ||
    (isMutation(body) && (body.state === 'carried' || (body.state === 'pending' && body.client_id === client_id)));

/** Finds rows that the database lacks or has with another body. A tap never changes, so only a missing one counts. */
const differsFrom =
  (standing: JournalRows) =>
  (key: string, body: unknown): boolean =>
    key !== deviceKey &&
    (tableOf(key) === 'drafts' ? !standing.has(key) : JSON.stringify(standing.get(key)) !== JSON.stringify(body));

/** Finds drafts that have ended meanwhile, and work that was renumbered meanwhile. */
function isGoneFrom(held: JournalRows): (key: string, body: unknown) => boolean {
  const works = worksIn(held);
  return (key, body) => !held.has(key) && (tableOf(key) === 'drafts' || isWorkIn(works, body));
}

const deviceIn = (rows: JournalRows) => rows.get(deviceKey) as DeviceBody | undefined;

const rowsOf = (rows: JournalRows, isWanted: (key: string, body: unknown) => boolean): JournalRows =>
  new Map([...rows].filter(([key, body]) => isWanted(key, body)));
