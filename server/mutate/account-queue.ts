/**
 * Requests that write to one account queue here and are applied several to a transaction (group commit), each with its own
 * answer. The account's row is locked by each transaction, so that waiting for one's turn outside of the database costs
 * less than inside. Different accounts do not wait for each other.
 *
 *   write ─► waiting ─ next turn ─► group ─► transact ─► each its answer ─► next group, while any waits
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Metrics } from '../observe/metrics.ts';
import { accountLimitsDefault, type AccountLimits } from '../store/account-limits.ts';
import { StoreUnavailable, type Store } from '../store/store.ts';
import type { RefusedRequest } from '../core/reply.ts';
import { keyCount, mergedReadSet } from './read-set.ts';
import { WorkingSet } from './working-set.ts';
import { isoNow, type World } from '../core/world.ts';
import { writerUnit, type Writer } from './writer.ts';
import type { Unit } from './unit.ts';

type QueueMetrics = Pick<Metrics, 'mutations' | 'unitsWaiting' | 'waitSecs' | 'transactionSecs'>;

export interface AccountQueue {
  /** Rejects with `StoreUnavailable`, also when too many wait for this account; any other rejection is a bug. */
  write<Answer>(writer: Writer, unit: Unit<Answer>): Promise<Answer | RefusedRequest>;
}

/** How many requests one transaction takes. */
const groupUnitsMax = 128;
/**
 * How many keys one transaction loads, unless a single request wants more. What it decides stands between the two flights
 * to PostgreSQL, which bounds how long a transaction may stand still.
 */
const groupKeysMax = 2_000;
/** How many requests wait for one account before the next one is told to come back. */
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
      // Requests that arrived in the same turn of the event loop are then here too.
      await nextTurn();
      const group = takeGroup(waiting);
      metrics?.unitsWaiting.dec(group.length);
      for (const { since } of group) metrics?.waitSecs.observe((performance.now() - since) / 1000);
      await answerGroup(accountId, group);
    }
    waitingOf.delete(accountId);
  };

  const answerGroup = async (accountId: string, group: Waiting[]): Promise<void> => {
    try {
      const done = metrics?.transactionSecs.startTimer();
      const answers = await transact(accountId, group).finally(done);
      group.forEach(({ unit, resolve }, index) => {
        for (const outcome of unit.outcomes?.(answers[index]) ?? []) metrics?.mutations.inc({ ...outcome });
        resolve(answers[index]);
      });
    } catch (error) {
      // One that throws is a bug, which must not take the others along. An outage is the same for all of them.
      const culpritUnknown = group.length > 1 && !(error instanceof StoreUnavailable);
      if (!culpritUnknown) for (const { reject } of group) reject(error);
      else for (const one of group) await answerGroup(accountId, [one]);
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
    write: <Answer>(writer: Writer, unit: Unit<Answer>) =>
      new Promise<Answer | RefusedRequest>((resolve, reject) => {
        const { accountId } = writer;
        const one: Waiting = {
          unit: writerUnit(writer, unit) as Unit<unknown>,
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

/** From the front, as far as the bounds allow, at least one. */
function takeGroup(waiting: Waiting[]): Waiting[] {
  let size = 0;
  let keys = 0;
  for (const { unit } of waiting) {
    keys += keyCount(unit.readSet);
    if (size === groupUnitsMax || (size > 0 && keys > groupKeysMax)) break;
    size += 1;
  }
  return waiting.splice(0, size);
}
