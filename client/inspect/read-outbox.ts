/** Reads the outbox: the count of mutations in each state, and the mutations themselves. */
import { isReplaced, numberOf, unsendableReason, type EntryState, type OutboxEntry } from '../outbox/model/entry.ts';
import type { OutboxReader } from '../outbox/outbox-reader.ts';
import type { OutboxFacts, OutboxItem, SyncRequest, TraceFacts } from './shapes.ts';

const itemsMax = 500;

const zeroCounts: OutboxFacts['counts'] = { pending: 0, forwarded: 0, refused: 0, discarded: 0, receipt: 0 };
/** The states in the order of their display. */
export const mutationStates = Object.keys(zeroCounts) as EntryState[];
const isWaitingState = (state: EntryState): boolean => state === 'pending' || state === 'forwarded';

export function readOutbox(outbox: Pick<OutboxReader, 'entries'>, trace: TraceFacts): OutboxFacts {
  const counts = { ...zeroCounts };
  const ordered = mutationStates.flatMap((state) => {
    const entries: OutboxEntry[] = outbox.entries(state);
    counts[state] = entries.length;
    return isWaitingState(state) ? entries : entries.toReversed();
  });
  return {
    counts,
    entries: ordered.slice(0, itemsMax).map((entry) => outboxItemOf(entry, trace)),
    left_out: Math.max(0, ordered.length - itemsMax),
  };
}

export function outboxItemOf(entry: OutboxEntry, trace: TraceFacts): OutboxItem {
  const { state, client_id, name, args, recorded_at, proven_at } = entry;
  const number = numberOf(entry);
  const error = errorOf(entry);
  const pushes = pushesOf(entry, trace);
  return {
    state,
    client_id,
    seq: number > 0 ? number : null,
    name,
    recorded_at,
    args,
    is_noop: 'payload' in entry && (isReplaced(entry) || unsendableReason(entry) !== undefined),
    attempts: pushes?.length ?? null,
    last_failure: error?.['code'] ?? pushes?.findLast((push) => hasFailed(push))?.error ?? null,
    error,
    proven_at,
  };
}

function errorOf(entry: OutboxEntry): ({ code: string } & Record<string, unknown>) | null {
  if ('error' in entry) return entry.error;
  if (!('payload' in entry)) return null;
  const answered = entry.state === 'forwarded' ? entry.answer?.outcome : undefined;
  return unsendableReason(entry) ?? (typeof answered === 'object' ? answered : null);
}

const hasFailed = ({ status, error }: SyncRequest): boolean => error !== null || (status ?? 0) >= 400;

/** Returns the traced requests that sent the mutation, the oldest first; undefined if the trace cannot tell. */
function pushesOf(entry: OutboxEntry, { begun_at, rounds }: TraceFacts): SyncRequest[] | undefined {
  if (begun_at === null || entry.recorded_at < begun_at || entry.state === 'forwarded') return undefined;
  const number = numberOf(entry);
  // Compare the client id, too: each client id has its own sequence of numbers.
  const hasSent = ({ kind, at, client_id, sent_seq }: SyncRequest) =>
    kind === 'push' && client_id === entry.client_id && at >= entry.recorded_at && (sent_seq ?? 0) >= number;
  const pushes = rounds
    .toReversed()
    .flatMap(({ requests }) => requests)
    .filter(hasSent);
  // Pushes after the first answered push no longer contain the mutation.
  const answered = pushes.findIndex((push) => push.status !== null && !hasFailed(push));
  return answered === -1 ? pushes : pushes.slice(0, answered + 1);
}
