/**
 * Decides which rows of the journal a database takes back when it opens; lineage.ts tells which of the two is later.
 * Pure.
 */
import type { DeviceBody } from '../rows.ts';
import { hasWorkId, keysWithTwoMutations, rowsToMerge, workIdsIn } from './diverged.ts';
import { deviceKey, isMutation, refusedKeyOf, tableOf } from './keys.ts';
import { withPastClientsOf, lineageOf, type Lineage } from './lineage.ts';
import type { JournalRows } from './mirror.ts';

export interface Recovery {
  put: JournalRows;
  removedKeys: string[];
  /** Written last, since it marks the database as complete; undefined if it does not change. */
  device?: DeviceBody;
}

interface RecoveryInput {
  /** The journal's rows. */
  journalRows: JournalRows;
  /** The database's rows. */
  databaseRows: JournalRows;
  /** The keys of the database's tombstones: rows that it removed or refused, and so did not lose. */
  removed: ReadonlySet<string>;
}

export function recoveryOf({ journalRows: allJournalRows, databaseRows, removed }: RecoveryInput): Recovery {
  const isRefused = (key: string, body: unknown) => removed.has(refusedKeyOf(key, body));
  const journalRows = filterRows(allJournalRows, (key, body) => key === deviceKey || !isRefused(key, body));
  const device = deviceRowIn(databaseRows);
  const journalDevice = deviceRowIn(journalRows);
  const isValid =
    journalDevice && (!device || !isRefused(deviceKey, journalDevice) || hasHigherNumbers(journalRows, device));
  const journaled = isValid ? journalDevice : undefined;
  const lost = filterRows(journalRows, (key) => key !== deviceKey && !databaseRows.has(key));
  if (!device) return { put: lost, removedKeys: [], ...(journaled && { device: markPutBack(journaled, null) }) };
  const lostHere = filterRows(lost, (key) => !removed.has(key));
  if (!journaled || areOfTwoAccounts(device, journaled))
    return { put: filterRows(lostHere, isUnsentUnder(device)), removedKeys: [] };
  const lineage: Lineage =
    keysWithTwoMutations(journalRows, databaseRows).length > 0 ? 'diverged' : lineageOf(device, journaled);
  switch (lineage) {
    case 'later':
      return { put: filterRows(lostHere, isUnsentUnder(device)), removedKeys: [] };
    case 'earlier':
      return {
        put: filterRows(journalRows, differsFrom(databaseRows)),
        removedKeys: [...filterRows(databaseRows, isAbsentFrom(allJournalRows)).keys()],
        device: markPutBack(journaled, device.token),
      };
    case 'diverged':
      return {
        put: rowsToMerge({ journalRows, databaseRows, lost: lostHere, device }),
        removedKeys: [],
        device: markPutBack(withPastClientsOf(device, journaled), device.token),
      };
  }
}

/** Tells whether the journal has higher numbers than the database. Then the database must be an earlier state. */
const hasHigherNumbers = (journalRows: JournalRows, { client_id, last_seq }: DeviceBody): boolean =>
  [...journalRows.values()].some((body) => isMutation(body) && body.client_id === client_id && body.seq > last_seq);

const areOfTwoAccounts = (one: DeviceBody, other: DeviceBody): boolean =>
  one.account_id !== undefined && other.account_id !== undefined && one.account_id !== other.account_id;

/** Marks the device row so that the device continues under a new client id. */
const markPutBack = (device: DeviceBody, token: string | null): DeviceBody => ({
  ...device,
  token: token ?? device.token,
  is_put_back: true,
});

/**
 * Finds rows that are safe to restore if the journal was only behind: the server recognises a repeated mutation by its
 * number. Refused mutations are left out, since no number shows that they were refused before.
 */
const isUnsentUnder =
  ({ client_id }: DeviceBody) =>
  (key: string, body: unknown): boolean =>
    tableOf(key) === 'drafts' ||
    (isMutation(body) && (body.state === 'carried' || (body.state === 'pending' && body.client_id === client_id)));

/** Finds rows that the database lacks or has with another body. A tap never changes, so only a missing one counts. */
const differsFrom =
  (databaseRows: JournalRows) =>
  (key: string, body: unknown): boolean =>
    key !== deviceKey &&
    (tableOf(key) === 'drafts'
      ? !databaseRows.has(key)
      : JSON.stringify(databaseRows.get(key)) !== JSON.stringify(body));

/** Finds drafts that have ended meanwhile, and work that was renumbered meanwhile. */
function isAbsentFrom(journalRows: JournalRows): (key: string, body: unknown) => boolean {
  const works = workIdsIn(journalRows);
  return (key, body) => !journalRows.has(key) && (tableOf(key) === 'drafts' || hasWorkId(works, body));
}

const deviceRowIn = (rows: JournalRows) => rows.get(deviceKey) as DeviceBody | undefined;

const filterRows = (rows: JournalRows, isWanted: (key: string, body: unknown) => boolean): JournalRows =>
  new Map([...rows].filter(([key, body]) => isWanted(key, body)));
