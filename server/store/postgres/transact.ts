/**
 * Runs a transaction in two round trips:
 *
 *   BEGIN, lock the account's row, load ─► decide ─► save, COMMIT
 *
 * After a serialization failure, a deadlock or a moved row of the account, the whole transaction runs again, for at
 * most `conflictRetryMsMax`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { randomFraction, type World } from '../../core/world.ts';
import { StoreUnavailable } from '../store.ts';
import type { Decision, LoadedRows, TransactionReadSet } from '../transaction.ts';
import { readAccount } from './accounts.ts';
import type { Connections, SendBatch } from './connections.ts';
import { AccountRowMoved, isConflict } from './failures.ts';
import { beginAndLoad } from './load.ts';
import { callsToSave } from './save.ts';
import { rollbackOnError, sendAndCommit } from './run-transaction.ts';

const conflictRetryMsMax = 5_000;
const backoffMsMin = 5;
const backoffMsMax = 200;

type Decide<Result> = (loaded: LoadedRows) => Decision<Result>;

export async function transact<Result>(
  connections: Connections,
  { world, ...work }: { accountId: string; readSet: TransactionReadSet; decide: Decide<Result>; world: World },
): Promise<Decision<Result>> {
  const giveUpAt = performance.now() + conflictRetryMsMax;
  for (let backoffMs = backoffMsMin; ; backoffMs = Math.min(2 * backoffMs, backoffMsMax)) {
    try {
      return await connections.borrow((sendBatch) => tryTransaction(sendBatch, work));
    } catch (error) {
      if (!isConflict(error)) throw error;
      if (error instanceof AccountRowMoved && !(await readAccount(connections, work.accountId))) {
        throw new Error(`No account ${work.accountId}`, { cause: error });
      }
      if (performance.now() + backoffMs > giveUpAt) {
        throw new StoreUnavailable('PostgreSQL: the transaction kept losing to others', { cause: error });
      }
      await sleep(backoffMs * (0.5 + randomFraction(world) / 2));
    }
  }
}

async function tryTransaction<Result>(
  sendBatch: SendBatch,
  { accountId, readSet, decide }: { accountId: string; readSet: TransactionReadSet; decide: Decide<Result> },
): Promise<Decision<Result>> {
  return rollbackOnError(sendBatch, async () => {
    const decision = decide(await beginAndLoad(sendBatch, accountId, readSet));
    // COMMIT even if nothing is saved: the lock is an UPDATE, so COMMIT waits until a standby has all that `decide`
    // read. Without COMMIT, the reply could depend on a commit that only the primary has and that a failover loses.
    await sendAndCommit(sendBatch, decision.writes ? callsToSave(accountId, decision.writes) : []);
    return decision;
  });
}
