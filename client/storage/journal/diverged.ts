/**
 * Merges a journal and a database that diverged, so that no work is lost. Pure. If both used a number for different
 * work, the journal's work gets a new number after the database's last.
 */
import { mutationRowId, originOf, type DeviceBody, type MutationBody } from '../rows.ts';
import { isMutation, keyOf, tableOf, workOf } from './keys.ts';
import { lastSeqUnder } from './lineage.ts';
import type { JournalRows } from './mirror.ts';

interface Diverged {
  /** The journal's rows. */
  held: JournalRows;
  /** The database's rows. */
  standing: JournalRows;
  /** The journal's rows that the database lacks. */
  lost: JournalRows;
  device: DeviceBody;
}

/** Finds the keys of numbers that journal and database used for different mutations. */
export const numberedTwice = (held: JournalRows, standing: JournalRows): string[] =>
  [...held].flatMap(([key, body]) => {
    const here = standing.get(key);
    const isTwice = isMutation(body) && body.seq >= 1 && isMutation(here) && workOf(here) !== workOf(body);
    return isTwice ? [key] : [];
  });

export function takenFromDiverged({ held, standing, lost, device }: Diverged): JournalRows {
  const split = new Set([...held].flatMap(([key, body]) => (hasDiverged(key, body, standing) ? [sessionOf(key)] : [])));
  const drafts = [...lost].filter(([key]) => tableOf(key) === 'drafts' && !split.has(sessionOf(key)));
  const others = [...lost].filter(([key, body]) => tableOf(key) === 'outbox' && !isMutation(body));
  const known = worksIn(standing);
  const news = [...held.values()].filter(isMutation).filter((body) => !known.has(workOf(body)));
  const mutations = [...new Set(news.map(({ client_id }) => client_id))].flatMap((clientId) => {
    const ofClient = (body: MutationBody) => body.client_id === clientId;
    const here = [...standing.values()].filter(isMutation).filter(ofClient);
    const lastSeq = Math.max(0, lastSeqUnder(clientId, device), ...here.map(({ seq }) => seq));
    return withFreeNumbers(news.filter(ofClient), { lastSeq, taken: new Set(here.map(({ seq }) => seq)) });
  });
  return new Map([...drafts, ...others, ...mutations.map((body) => [keyOfMutation(body), body] as const)]);
}

interface Numbers {
  /** The last number that the database used. */
  lastSeq: number;
  taken: ReadonlySet<number>;
}

/**
 * Renumbers pending work after the database's last number, from the first taken number on, since a sequence has no
 * gaps.
 */
function withFreeNumbers(bodies: MutationBody[], { lastSeq, taken }: Numbers): MutationBody[] {
  const inOrder = bodies.toSorted((a, b) => a.seq - b.seq);
  const offered = inOrder.filter(isOffered);
  const others = inOrder.filter((body) => !isOffered(body));
  const lowest = Math.min(1, ...taken, ...others.map(({ seq }) => seq));
  const first = offered.findIndex(({ seq }) => taken.has(seq));
  return [
    ...others.map((body, index) => (taken.has(body.seq) ? renumbered(body, lowest - 1 - index) : body)),
    ...offered.map((body, index) =>
      index < first || first < 0 ? body : renumbered(body, lastSeq + 1 + index - first),
    ),
  ];
}

const isOffered = ({ state }: MutationBody): boolean => state === 'pending' || state === 'carried';

function renumbered(body: MutationBody, seq: number): MutationBody {
  const { answer: _answer, ...kept } = body;
  return { ...kept, seq, origin: originOf(body) };
}

export const worksIn = (rows: JournalRows): Set<string> =>
  new Set([...rows.values()].flatMap((body) => (isMutation(body) ? [workOf(body)] : [])));

export const isWorkIn = (works: ReadonlySet<string>, body: unknown): boolean =>
  isMutation(body) && works.has(workOf(body));

/** Tells whether both continued one recording; the database's taps are kept then. */
const hasDiverged = (key: string, body: unknown, standing: JournalRows): boolean =>
  tableOf(key) === 'drafts' && standing.has(key) && JSON.stringify(standing.get(key)) !== JSON.stringify(body);

const sessionOf = (key: string): string => key.slice(0, key.lastIndexOf('|'));

const keyOfMutation = ({ client_id, seq }: MutationBody): string => keyOf('outbox', mutationRowId(client_id, seq));
