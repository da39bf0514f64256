/**
 * Group commit: the work of all accounts shares one transaction of the file, and so one fsync of the log.
 *
 * Work that waits in the same turn of the event loop forms one group. Each piece of work runs in a savepoint of its
 * own, so an exception undoes only that piece. Callers get their results after COMMIT.
 *
 *   commit(work) ─► waiting ─ next turn ─► BEGIN IMMEDIATE ─ savepoint, work, release ─ ... ─ COMMIT ─► results
 *   commitInBackground(work) ─► waiting ─ the next group of other work, or 10 ms later a group of its own
 */
import { StoreUnavailable } from '../store.ts';
import type { Database } from './database.ts';

/** A group blocks the event loop, so these two limits keep groups short. */
const groupSizeMax = 64;
const groupMsMax = 50;
/**
 * Background work waits at most this long for a commit of other work. If no other work came within this time before the
 * background work, the background work does not wait.
 */
const backgroundDelayMsMaxDefault = 10;

interface CommitQueue {
  commit<Result>(work: () => Result): Promise<Result>;
  /** Commits background work with the next group of other work, so that it costs no fsync of its own. */
  commitInBackground<Result>(work: () => Result): Promise<Result>;
  /** Commits all waiting work before it returns. Later work is refused with `StoreUnavailable`. */
  finish(): void;
}

interface CommitQueueOptions {
  /** Returns milliseconds. Default: `performance.now`. */
  monotonicMs?: () => number;
  backgroundDelayMsMax?: number;
}

export function createCommitQueue(
  database: Database,
  {
    monotonicMs = () => performance.now(),
    backgroundDelayMsMax = backgroundDelayMsMaxDefault,
  }: CommitQueueOptions = {},
): CommitQueue {
  let waiting: WaitingWork[] = [];
  let turn: NodeJS.Immediate | undefined;
  let backgroundTimer: NodeJS.Timeout | undefined;
  let lastCommitAtMs = -Infinity;
  let isFinished = false;

  const commitGroup = () => {
    clearTimeout(backgroundTimer);
    backgroundTimer = undefined;
    let group = waiting.slice(0, groupSizeMax);
    try {
      database.run('BEGIN IMMEDIATE');
      const startedAt = performance.now();
      const settlements: (() => void)[] = [];
      for (const one of group) {
        settlements.push(one.run());
        if (performance.now() - startedAt > groupMsMax) break;
      }
      group = group.slice(0, settlements.length);
      database.run('COMMIT');
      for (const settle of settlements) settle();
    } catch (error) {
      rollbackQuietly(database);
      for (const { reject } of group) reject(error);
    }
    waiting = waiting.slice(group.length);
    turn = waiting.length > 0 ? setImmediate(commitGroup) : undefined;
  };

  const beginTurn = () => {
    if (waiting.length > 0) turn ??= setImmediate(commitGroup);
  };

  const enqueue = <Result>(work: () => Result) =>
    new Promise<Result>((resolve, reject) => {
      // Refuse work after `finish`. A request whose connection was closed may still run while the server closes.
      if (isFinished) throw new StoreUnavailable('The store is closed');
      waiting.push({ run: () => runInSavepoint(database, work, { resolve, reject }), reject });
    });

  return {
    commit(work) {
      const result = enqueue(work);
      lastCommitAtMs = monotonicMs();
      beginTurn();
      return result;
    },
    commitInBackground(work) {
      const result = enqueue(work);
      if (monotonicMs() - lastCommitAtMs > backgroundDelayMsMax) beginTurn();
      else backgroundTimer ??= setTimeout(beginTurn, backgroundDelayMsMax);
      return result;
    },
    finish() {
      isFinished = true;
      while (waiting.length > 0) {
        clearImmediate(turn);
        commitGroup();
      }
    },
  };
}

interface WaitingWork {
  /** Runs the work. The returned function resolves or rejects the caller's promise. Call it after COMMIT. */
  run(): () => void;
  reject(error: unknown): void;
}

interface PromiseCallbacks<Result> {
  resolve(result: Result): void;
  reject(error: unknown): void;
}

function runInSavepoint<Result>(
  database: Database,
  work: () => Result,
  { resolve, reject }: PromiseCallbacks<Result>,
): () => void {
  database.run('SAVEPOINT work');
  try {
    const result = work();
    database.run('RELEASE work');
    return () => resolve(result);
  } catch (error) {
    // An outage such as a full disk fails the whole group, since SQLite may already have rolled back the transaction.
    if (error instanceof StoreUnavailable) throw error;
    database.run('ROLLBACK TO work');
    database.run('RELEASE work');
    return () => reject(error);
  }
}

/**
 * Ignores an outage during ROLLBACK, since the caller gets the earlier error, and SQLite rolls back at the next use of
 * the file.
 */
function rollbackQuietly(database: Database): void {
  try {
    database.rollback();
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
  }
}
