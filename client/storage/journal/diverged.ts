/**
 * Merges a journal and a database that diverged, so that no work is lost. Pure. If both have different mutations under
 * one sequence number, the journal's mutation gets a number after the database's last one.
 */
import { mutationRowId, originOf, type DeviceBody, type MutationBody } from '../rows.ts';
import { isMutation, journalKeyOf, tableOfKey, stableIdOf } from './keys.ts';
import { lastSeqUnder } from './lineage.ts';
import type { JournalRows } from './mirror.ts';

interface DivergedRows {
  journalRows: JournalRows;
  databaseRows: JournalRows;
  /** The journal's rows that the database lacks. */
  lostRows: JournalRows;
  device: DeviceBody;
}

/** Returns the keys under which the journal and the database have different mutations. */
export const findKeysWithTwoMutations = (journalRows: JournalRows, databaseRows: JournalRows): string[] =>
  [...journalRows].flatMap(([key, body]) => {
    const here = databaseRows.get(key);
    const isTwice = isMutation(body) && body.seq >= 1 && isMutation(here) && stableIdOf(here) !== stableIdOf(body);
    return isTwice ? [key] : [];
  });

export function findRowsToMerge({ journalRows, databaseRows, lostRows, device }: DivergedRows): JournalRows {
  const conflictingDrafts = new Set(
    [...journalRows].flatMap(([key, body]) => (isDifferentTap(key, body, databaseRows) ? [draftKeyOf(key)] : [])),
  );
  const drafts = [...lostRows].filter(
    ([key]) => tableOfKey(key) === 'drafts' && !conflictingDrafts.has(draftKeyOf(key)),
  );
  const others = [...lostRows].filter(([key, body]) => tableOfKey(key) === 'outbox' && !isMutation(body));
  const known = stableIdsIn(databaseRows);
  const newMutations = [...journalRows.values()].filter(isMutation).filter((body) => !known.has(stableIdOf(body)));
  const mutations = [...new Set(newMutations.map(({ client_id }) => client_id))].flatMap((clientId) => {
    const ofClient = (body: MutationBody) => body.client_id === clientId;
    const here = [...databaseRows.values()].filter(isMutation).filter(ofClient);
    const lastSeq = Math.max(0, lastSeqUnder(clientId, device), ...here.map(({ seq }) => seq));
    return renumberAfterDatabase(newMutations.filter(ofClient), {
      lastSeq,
      usedSeqs: new Set(here.map(({ seq }) => seq)),
    });
  });
  return new Map([...drafts, ...others, ...mutations.map((body) => [keyOfMutation(body), body] as const)]);
}

interface UsedNumbers {
  lastSeq: number;
  usedSeqs: ReadonlySet<number>;
}

/**
 * Gives the journal's sendable mutations new numbers after the database's last number. Begins with the first mutation
 * whose number the database uses, and renumbers all later mutations to keep their order.
 */
function renumberAfterDatabase(bodies: MutationBody[], { lastSeq, usedSeqs }: UsedNumbers): MutationBody[] {
  const inOrder = bodies.toSorted((a, b) => a.seq - b.seq);
  const sendable = inOrder.filter(isSendable);
  const others = inOrder.filter((body) => !isSendable(body));
  const lowest = Math.min(1, ...usedSeqs, ...others.map(({ seq }) => seq));
  const firstRenumbered = sendable.findIndex(({ seq }) => usedSeqs.has(seq));
  return [
    ...others.map((body, index) => (usedSeqs.has(body.seq) ? withNumber(body, lowest - 1 - index) : body)),
    ...sendable.map((body, index) =>
      index < firstRenumbered || firstRenumbered < 0 ? body : withNumber(body, lastSeq + 1 + index - firstRenumbered),
    ),
  ];
}

const isSendable = ({ state }: MutationBody): boolean => state === 'pending' || state === 'carried';

function withNumber(body: MutationBody, seq: number): MutationBody {
  const { answer: _answer, ...kept } = body;
  return { ...kept, seq, origin: originOf(body) };
}

export const stableIdsIn = (rows: JournalRows): Set<string> =>
  new Set([...rows.values()].flatMap((body) => (isMutation(body) ? [stableIdOf(body)] : [])));

export const hasStableIdIn = (stableIds: ReadonlySet<string>, body: unknown): boolean =>
  isMutation(body) && stableIds.has(stableIdOf(body));

/**
 * Returns true if the database has a different tap under this key: journal and database each continued the recording.
 */
const isDifferentTap = (key: string, body: unknown, databaseRows: JournalRows): boolean =>
  tableOfKey(key) === 'drafts' &&
  databaseRows.has(key) &&
  JSON.stringify(databaseRows.get(key)) !== JSON.stringify(body);

const draftKeyOf = (key: string): string => key.slice(0, key.lastIndexOf('|'));

const keyOfMutation = ({ client_id, seq }: MutationBody): string =>
  journalKeyOf('outbox', mutationRowId(client_id, seq));
