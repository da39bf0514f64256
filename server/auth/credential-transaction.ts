/**
 * Changes an account's devices and tokens under the account's lock. Each request has its own transaction, since such
 * requests are too rare to be grouped.
 */
import { assert } from '../../shared/domain/assert.ts';
import { accountLimitsDefault } from '../store/account-limits.ts';
import type { CredentialReadSet } from '../store/credentials/credentials.ts';
import type { Store } from '../store/store.ts';
import type { TransactionWrites } from '../store/transaction.ts';
import { CredentialSet } from './credential-set.ts';
import type { RestReply } from '../core/reply.ts';
import { idempotentUnit, type IdempotencyKey } from '../mutate/idempotent-unit.ts';
import { emptyReadSet } from '../mutate/working-set/read-set.ts';
import { WorkingSet } from '../mutate/working-set/working-set.ts';
import { isoNow, type World } from '../core/world.ts';
import { withTokenCheck, type AccountToken } from '../mutate/token-check.ts';

interface CredentialChange {
  readSet: Partial<CredentialReadSet>;
  idempotency?: IdempotencyKey | undefined;
  /** Must be pure, since the store may run `decide` again after a conflict. */
  decide(credentials: CredentialSet, now: string): RestReply;
}

/** Runs `decide` in a transaction on an existing account. Rejects with the errors of `Store.transact`. */
export function runCredentialTransaction(
  { store, world }: { store: Store; world: World },
  writer: AccountToken,
  { readSet, idempotency, decide }: CredentialChange,
): Promise<RestReply> {
  const now = isoNow(world);
  const { accountId } = writer;
  const transactionReadSet = {
    ...emptyReadSet(),
    idempotencyKeys: idempotency ? [idempotency.key] : [],
    tokenHashes: writer.tokenHash === null ? [] : [writer.tokenHash],
    credentials: { deviceIds: [], keyIds: [], creators: [], ...readSet },
  };
  return store.transact(accountId, transactionReadSet, (loaded) => {
    const set = new WorkingSet(loaded, transactionReadSet, accountLimitsDefault);
    assert(loaded.credentials, 'the read set has credentials');
    const credentials = new CredentialSet(loaded.account, loaded.credentials);
    const once = idempotentUnit({
      idempotency,
      unit: { readSet: emptyReadSet(), run: () => decide(credentials, now) },
    });
    const result = withTokenCheck(writer, once).run(set, now);
    const changed = credentials.writes();
    for (const { type, subjectId } of credentials.events) {
      set.events.add(type, subjectId, { version: set.nextVersion(), now });
    }
    const records = set.writes();
    if (!records && !changed) return { result };
    const writes: TransactionWrites = {
      ...(records ?? writesWithoutRecords(loaded.account)),
      ...(changed ? { credentials: changed } : {}),
    };
    return { writes, result };
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
