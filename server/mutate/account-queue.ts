/**
 * Groups the waiting requests of one account into one transaction (group commit). A transaction locks the account
 * (store.ts), so without groups, each request would wait for the transactions of all requests before it. This queue
 * treats each account alone. SQLite, which has one writer, commits the groups of several accounts at once (commits.ts).
 *
 *   write ─► waiting ─ next turn of the event loop ─► group ─► transact ─► each request gets its own result
 *                ▲                                                                    │
 *                └──────────────────────── while requests wait ───────────────────────┘
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Metrics } from '../observe/metrics.ts';
import { accountLimitsDefault, countedClientAgeMsMax, type AccountLimits } from '../store/account-limits.ts';
import { StoreUnavailable, type Store } from '../store/store.ts';
import type { RefusedRequest } from '../core/reply.ts';
import { mergedReadSet, readSetSize } from './working-set/read-set.ts';
import { WorkingSet } from './working-set/working-set.ts';
import { isoNow, type World } from '../core/world.ts';
import { withTokenCheck, type AccountWriter } from './token-check.ts';
import type { UnitOfWork } from './unit.ts';

type QueueMetrics = Pick<Metrics, 'mutations' | 'unitsWaiting' | 'waitSecs' | 'transactionSecs'>;

export interface AccountQueue {
  /**
   * Rejects with `StoreUnavailable` during an outage or if too many requests wait for the account. Any other rejection
   * is a bug.
   */
  write<Result>(writer: AccountWriter, unit: UnitOfWork<Result>): Promise<Result | RefusedRequest>;
}

const unitsPerGroupMax = 128;
/**
 * Limits how many rows a group reads, and so how long its transaction holds the lock. A single request may exceed the
 * limit.
 */
const readsPerGroupMax = 2_000;
/** When this many requests of an account wait, a further request is refused as unavailable. */
const waitingUnitsPerAccountMax = 2_000;

interface QueueOptions {
  metrics?: QueueMetrics;
  limits?: AccountLimits;
}

export function createAccountQueue(store: Store, world: World, options: QueueOptions = {}): AccountQueue {
  const { metrics, limits = accountLimitsDefault } = options;
  const waitingByAccount = new Map<string, WaitingUnit[]>();

  const applyGroups = async (accountId: string, waiting: WaitingUnit[]): Promise<void> => {
    while (waiting.length > 0) {
      // Requests that arrive in the same turn of the event loop join the group.
      await nextTurn();
      const group = takeGroup(waiting);
      metrics?.unitsWaiting.dec(group.length);
      for (const { waitingSinceMs } of group) metrics?.waitSecs.observe((performance.now() - waitingSinceMs) / 1000);
      await applyGroup(accountId, group);
    }
    waitingByAccount.delete(accountId);
  };

  const applyGroup = async (accountId: string, group: WaitingUnit[]): Promise<void> => {
    try {
      const done = metrics?.transactionSecs.startTimer();
      const results = await transact(accountId, group).finally(done);
      group.forEach(({ unit, resolve }, index) => {
        for (const counted of unit.countedMutations?.(results[index]) ?? []) metrics?.mutations.inc({ ...counted });
        resolve(results[index]);
      });
    } catch (error) {
      // One unit with a bug must not fail the others, so each unit runs again alone. An outage fails every unit.
      const mayHaveBug = group.length > 1 && !(error instanceof StoreUnavailable);
      if (mayHaveBug) for (const unit of group) await applyGroup(accountId, [unit]);
      else for (const { reject } of group) reject(error);
    }
  };

  const transact = (accountId: string, group: WaitingUnit[]): Promise<unknown[]> => {
    const now = isoNow(world);
    const readSet = mergedReadSet(group.map(({ unit }) => unit.readSet));
    const clientsSeenMin = new Date(Date.parse(now) - countedClientAgeMsMax).toISOString();
    return store.transact(accountId, { ...readSet, clientsSeenMin }, (loaded) => {
      const set = new WorkingSet(loaded, readSet, limits);
      const result = group.map(({ unit }) => unit.run(set, now));
      const writes = set.writes();
      return writes ? { writes, result } : { result };
    });
  };

  return {
    write: <Result>(writer: AccountWriter, unit: UnitOfWork<Result>) =>
      new Promise<Result | RefusedRequest>((resolve, reject) => {
        const { accountId } = writer;
        const added: WaitingUnit = {
          unit: withTokenCheck(writer, unit) as UnitOfWork<unknown>,
          waitingSinceMs: performance.now(),
          resolve: (result) => resolve(result as Result | RefusedRequest),
          reject,
        };
        const waiting = waitingByAccount.get(accountId);
        if ((waiting?.length ?? 0) >= waitingUnitsPerAccountMax) {
          return reject(new StoreUnavailable('too many requests wait for this account'));
        }
        metrics?.unitsWaiting.inc();
        if (!waiting) {
          const started = [added];
          waitingByAccount.set(accountId, started);
          void applyGroups(accountId, started);
        } else waiting.push(added);
      }),
  };
}

interface WaitingUnit {
  unit: UnitOfWork<unknown>;
  waitingSinceMs: number;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/** Takes as many requests from the front of the queue as the limits of a group allow, but at least one. */
function takeGroup(waiting: WaitingUnit[]): WaitingUnit[] {
  let size = 0;
  let keys = 0;
  for (const { unit } of waiting) {
    keys += readSetSize(unit.readSet);
    if (size === unitsPerGroupMax || (size > 0 && keys > readsPerGroupMax)) break;
    size += 1;
  }
  return waiting.splice(0, size);
}
