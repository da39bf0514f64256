/**
 * Decides which rows of the journal are restored into the database when the engine opens. Pure. lineage.ts tells
 * whether the journal or the database has the later state.
 */
import type { DeviceBody } from '../rows.ts';
import { hasStableIdIn, findKeysWithTwoMutations, findRowsToMerge, stableIdsIn } from './diverged.ts';
import { deviceRowKey, isMutation, tombstoneKeyOfUnwritten, tableOfKey } from './keys.ts';
import { withPastClientsOf, compareLineages, type LineageComparison } from './lineage.ts';
import type { JournalRows } from './mirror.ts';

export interface RecoveryPlan {
  rowsToPut: JournalRows;
  keysToRemove: string[];
  /**
   * The new device row; absent if the old row stays. It is written last, so a new device row shows a complete recovery.
   */
  device?: DeviceBody;
}

interface RecoveryInput {
  journalRows: JournalRows;
  databaseRows: JournalRows;
  /** The keys of rows that the database removed or refused. Tombstones show that these rows are not lost. */
  tombstoneKeys: ReadonlySet<string>;
}

export function planRecovery({
  journalRows: allJournalRows,
  databaseRows,
  tombstoneKeys,
}: RecoveryInput): RecoveryPlan {
  const isRefused = (key: string, body: unknown) => tombstoneKeys.has(tombstoneKeyOfUnwritten(key, body));
  const journalRows = filterRows(allJournalRows, (key, body) => key === deviceRowKey || !isRefused(key, body));
  const device = deviceRowIn(databaseRows);
  const journalDevice = deviceRowIn(journalRows);
  const isValid =
    journalDevice && (!device || !isRefused(deviceRowKey, journalDevice) || hasMutationAbove(journalRows, device));
  const journaled = isValid ? journalDevice : undefined;
  const lostRows = filterRows(journalRows, (key) => key !== deviceRowKey && !databaseRows.has(key));
  if (!device)
    return { rowsToPut: lostRows, keysToRemove: [], ...(journaled && { device: toRestoredDevice(journaled, null) }) };
  const lostHere = filterRows(lostRows, (key) => !tombstoneKeys.has(key));
  if (!journaled || haveDifferentAccounts(device, journaled))
    return { rowsToPut: filterRows(lostHere, restorableRowFilter(device)), keysToRemove: [] };
  const lineage: LineageComparison =
    findKeysWithTwoMutations(journalRows, databaseRows).length > 0 ? 'diverged' : compareLineages(device, journaled);
  switch (lineage) {
    case 'later':
      return { rowsToPut: filterRows(lostHere, restorableRowFilter(device)), keysToRemove: [] };
    case 'earlier':
      return {
        rowsToPut: filterRows(journalRows, differingRowFilter(databaseRows)),
        keysToRemove: [...filterRows(databaseRows, absentRowFilter(allJournalRows)).keys()],
        device: toRestoredDevice(journaled, device.token),
      };
    case 'diverged':
      return {
        rowsToPut: findRowsToMerge({ journalRows, databaseRows, lostRows: lostHere, device }),
        keysToRemove: [],
        device: toRestoredDevice(withPastClientsOf(device, journaled), device.token),
      };
  }
}

/**
 * Returns true if the journal has a mutation with a higher sequence number than the database's last one, which shows
 * that the database is the earlier state.
 */
const hasMutationAbove = (journalRows: JournalRows, { client_id, last_seq }: DeviceBody): boolean =>
  [...journalRows.values()].some((body) => isMutation(body) && body.client_id === client_id && body.seq > last_seq);

const haveDifferentAccounts = (one: DeviceBody, other: DeviceBody): boolean =>
  one.account_id !== undefined && other.account_id !== undefined && one.account_id !== other.account_id;

/** Marks the device row as restored, so that the device continues under a new client id. */
const toRestoredDevice = (device: DeviceBody, token: string | null): DeviceBody => ({
  ...device,
  token: token ?? device.token,
  is_put_back: true,
});

/**
 * Matches rows that may be restored even if the database removed them on purpose. The server recognizes a repeated
 * mutation by its sequence number. A refused mutation does not match, since a person may have resolved it.
 */
const restorableRowFilter =
  ({ client_id }: DeviceBody) =>
  (key: string, body: unknown): boolean =>
    tableOfKey(key) === 'drafts' ||
    (isMutation(body) && (body.state === 'carried' || (body.state === 'pending' && body.client_id === client_id)));

/**
 * Matches rows that the database lacks, or has with another body. A tap never changes, so only a missing tap matches.
 */
const differingRowFilter =
  (databaseRows: JournalRows) =>
  (key: string, body: unknown): boolean =>
    key !== deviceRowKey &&
    (tableOfKey(key) === 'drafts'
      ? !databaseRows.has(key)
      : JSON.stringify(databaseRows.get(key)) !== JSON.stringify(body));

/**
 * Matches rows that are absent from the journal: taps of an ended draft, and mutations that have another sequence
 * number there.
 */
function absentRowFilter(journalRows: JournalRows): (key: string, body: unknown) => boolean {
  const stableIds = stableIdsIn(journalRows);
  return (key, body) => !journalRows.has(key) && (tableOfKey(key) === 'drafts' || hasStableIdIn(stableIds, body));
}

const deviceRowIn = (rows: JournalRows) => rows.get(deviceRowKey) as DeviceBody | undefined;

const filterRows = (rows: JournalRows, isWanted: (key: string, body: unknown) => boolean): JournalRows =>
  new Map([...rows].filter(([key, body]) => isWanted(key, body)));
