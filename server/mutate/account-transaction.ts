/**
 * Changes rows of an account in a transaction of its own, without the account's queue. Requests for devices, tokens,
 * webhooks and billing are too rare to be grouped.
 */
import { isoNow, type World } from '../core/world.ts';
import { accountLimitsDefault } from '../store/account-limits.ts';
import type { Store } from '../store/store.ts';
import type { EventType } from '../../shared/schema/integration/event-types.ts';
import type { LoadedRows, TransactionReadSet, TransactionWrites } from '../store/transaction.ts';
import { emptyReadSet } from './working-set/read-set.ts';
import { WorkingSet } from './working-set/working-set.ts';

interface AccountDecision<Result> {
  result: Result;
  /** Each event gets a version of its own. */
  events: readonly { type: EventType; subjectId: string }[];
  /** The changed rows other than records; empty if there are none. */
  rows: Partial<Pick<TransactionWrites, 'credentials' | 'billing' | 'webhooks'>>;
}

/**
 * `decide` must be pure, since the store may run it again after a conflict. Rejects if the transaction of the store
 * rejects.
 */
export function runAccountTransaction<Result>(
  { store, world }: { store: Store; world: World },
  { accountId, readSet: asked }: { accountId: string; readSet: Partial<TransactionReadSet> },
  decide: (set: WorkingSet, loaded: LoadedRows, now: string) => AccountDecision<Result>,
): Promise<Result> {
  const now = isoNow(world);
  const readSet = { ...emptyReadSet(), ...asked };
  return store.transact(accountId, readSet, (loaded) => {
    const set = new WorkingSet(loaded, readSet, accountLimitsDefault);
    const { result, events, rows } = decide(set, loaded, now);
    for (const { type, subjectId } of events) set.events.add(type, subjectId, { version: set.nextVersion(), now });
    const records = set.writes();
    if (!records && Object.keys(rows).length === 0) return { result };
    return { writes: { ...(records ?? writesWithoutRecords(loaded.account)), ...rows }, result };
  });
}

/** Returns the writes of a transaction that changes no record. */
export function writesWithoutRecords(account: TransactionWrites['account']): TransactionWrites {
  const { version, next_id, live_maps, bytes, keys_made, key_bytes_made } = account;
  return {
    account: { version, next_id, live_maps, bytes, keys_made, key_bytes_made },
    maps: [],
    runs: [],
    takenStageIds: [],
    clients: [],
    pushAnswers: [],
    appliedMutations: [],
    idempotentReplies: [],
    events: [],
  };
}
