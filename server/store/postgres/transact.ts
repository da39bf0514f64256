/**
 * One transaction in two round trips:
 *
 *   BEGIN, take the account's row, load ─► decide ─► save, COMMIT
 *
 * PostgreSQL may say that another transaction won; then all of it runs again, within `conflictMsMax`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable } from '../store.ts';
import type { Decision, Loaded, TransactionReadSet } from '../transaction.ts';
import type { Connections, Flight } from './connections.ts';
import { isConflict } from './failures.ts';
import { load } from './load.ts';
import { saveCalls } from './save.ts';
import { statement } from './statement.ts';

const conflictMsMax = 5_000;
const backoffMsMin = 5;
const backoffMsMax = 200;

type Decide<Result> = (loaded: Loaded) => Decision<Result>;

export async function transact<Result>(
  connections: Connections,
  work: { accountId: string; readSet: TransactionReadSet; decide: Decide<Result> },
): Promise<Decision<Result>> {
  const giveUpAt = performance.now() + conflictMsMax;
  for (let backoffMs = backoffMsMin; ; backoffMs = Math.min(2 * backoffMs, backoffMsMax)) {
    try {
      return await connections.borrow((flight) => transaction(flight, work));
    } catch (error) {
      if (!isConflict(error)) throw error;
      if (performance.now() + backoffMs > giveUpAt) {
        throw new StoreUnavailable('PostgreSQL: the transaction kept losing to others', { cause: error });
      }
      await sleep(backoffMs * (0.5 + Math.random() / 2));
    }
  }
}

async function transaction<Result>(
  flight: Flight,
  { accountId, readSet, decide }: { accountId: string; readSet: TransactionReadSet; decide: Decide<Result> },
): Promise<Decision<Result>> {
  try {
    const decision = decide(await load(flight, accountId, readSet));
    const saves = decision.writes ? saveCalls(accountId, decision.writes) : [];
    const answers = await flight([...saves, { statement: commit }]);
    // A COMMIT behind a failure rolls back and does not fail; the failure was thrown already, so this is a bug of ours.
    if (answers.at(-1)?.command !== 'COMMIT') throw new Error('PostgreSQL rolled back what was to be committed');
    return decision;
  } catch (error) {
    // On a connection that broke this fails too; the pool drops it then, and PostgreSQL rolls back.
    await flight([{ statement: rollback }]).catch(() => {});
    throw error;
  }
}

const commit = statement({ text: 'COMMIT' });

const rollback = statement({ text: 'ROLLBACK' });
