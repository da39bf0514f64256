/**
 * Groups the writes to one account, so that one transaction applies several requests (group commit). Each request gets its
 * own answer. Each transaction locks the account's row, so requests wait in this process rather than at the lock. Different
 * accounts do not wait for each other.
 *
 *   write ─► waiting ─ next turn ─► group ─► transact ─► an answer for each request ─► next group, while requests wait
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Metrics } from '../observe/metrics.ts';
import { accountLimitsDefault, type AccountLimits } from '../store/account-limits.ts';
import { StoreUnavailable, type Store } from '../store/store.ts';
import type { RefusedRequest } from '../core/reply.ts';
import { readCount, mergedReadSet } from './read-set.ts';
import { WorkingSet } from './working-set.ts';
import { isoNow, type World } from '../core/world.ts';
import { withTokenCheck, type AccountToken } from './token-check.ts';
import type { Unit } from './unit.ts';

type QueueMetrics = Pick<Metrics, 'mutations' | 'unitsWaiting' | 'waitSecs' | 'transactionSecs'>;

export interface AccountQueue {
  /**
   * Rejects with `StoreUnavailable` during an outage or if too many requests wait for the account. Any other rejection
   * is a bug.
   */
  write<Answer>(writer: AccountToken, unit: Unit<Answer>): Promise<Answer | RefusedRequest>;
}

/** Limits the requests of one transaction. */
const groupUnitsMax = 128;
/**
 * Limits the keys that one transaction loads, and so how long it holds its lock while the decisions are made between the
 * two round trips to PostgreSQL. A single request may exceed the limit.
 */
const groupReadsMax = 2_000;
/** Limits the requests that wait for one account. A further request is refused as unavailable. */
const waitingUnitsMax = 2_000;

interface QueueOptions {
  metrics?: QueueMetrics;
  limits?: AccountLimits;
}

export function createAccountQueue(store: Store, world: World, options: QueueOptions = {}): AccountQueue {
  const { metrics, limits = accountLimitsDefault } = options;
  const waitingOf = new Map<string, Waiting[]>();

  const work = async (accountId: string, waiting: Waiting[]): Promise<void> => {
    while (waiting.length > 0) {
      // After this wait, the group includes all requests of the same turn of the event loop.
      await nextTurn();
      const group = takeGroup(waiting);
      metrics?.unitsWaiting.dec(group.length);
      for (const { since } of group) metrics?.waitSecs.observe((performance.now() - since) / 1000);
      await applyGroup(accountId, group);
    }
    waitingOf.delete(accountId);
  };

  const applyGroup = async (accountId: string, group: Waiting[]): Promise<void> => {
    try {
      const done = metrics?.transactionSecs.startTimer();
      const answers = await transact(accountId, group).finally(done);
      group.forEach(({ unit, resolve }, index) => {
        for (const outcome of unit.outcomes?.(answers[index]) ?? []) metrics?.mutations.inc({ ...outcome });
        resolve(answers[index]);
      });
    } catch (error) {
      // A unit that throws has a bug and must not fail the others, so each unit runs again alone. An outage fails all
      // units alike.
      const culpritUnknown = group.length > 1 && !(error instanceof StoreUnavailable);
      if (!culpritUnknown) for (const { reject } of group) reject(error);
      else for (const one of group) await applyGroup(accountId, [one]);
    }
  };

  const transact = (accountId: string, group: Waiting[]): Promise<unknown[]> => {
    const now = isoNow(world);
    const readSet = mergedReadSet(group.map(({ unit }) => unit.readSet));
    return store.transact(accountId, readSet, (loaded) => {
      const set = new WorkingSet(loaded, readSet, limits);
      const result = group.map(({ unit }) => unit.decide(set, now));
      const writes = set.writes();
      return writes ? { writes, result } : { result };
    });
  };

  return {
    write: <Answer>(writer: AccountToken, unit: Unit<Answer>) =>
      new Promise<Answer | RefusedRequest>((resolve, reject) => {
        const { accountId } = writer;
        const one: Waiting = {
          unit: withTokenCheck(writer, unit) as Unit<unknown>,
          since: performance.now(),
          resolve: (answer) => resolve(answer as Answer | RefusedRequest),
          reject,
        };
        const waiting = waitingOf.get(accountId);
        if ((waiting?.length ?? 0) >= waitingUnitsMax) {
          return reject(new StoreUnavailable('too many requests wait for this account'));
        }
        metrics?.unitsWaiting.inc();
        if (!waiting) {
          const started = [one];
          waitingOf.set(accountId, started);
          void work(accountId, started);
        } else waiting.push(one);
      }),
  };
}

interface Waiting {
  unit: Unit<unknown>;
  since: number;
  resolve: (answer: unknown) => void;
  reject: (error: unknown) => void;
}

/** Takes requests from the front of the queue, at least one, within the two limits of a group. */
function takeGroup(waiting: Waiting[]): Waiting[] {
  let size = 0;
  let keys = 0;
  for (const { unit } of waiting) {
    keys += readCount(unit.readSet);
    if (size === groupUnitsMax || (size > 0 && keys > groupReadsMax)) break;
    size += 1;
  }
  return waiting.splice(0, size);
}
