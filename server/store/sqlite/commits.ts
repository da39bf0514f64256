/**
 * Group commit. Units of work that wait in the same turn of the event loop share one transaction, and so one sync of the
 * log. Each unit has a savepoint of its own, so that an exception undoes that unit alone. Callers get their results after
 * COMMIT returned.
 *
 *   commit(work) ─► waiting ─ next turn ─► BEGIN IMMEDIATE ─ savepoint, work, release ─ ... ─ COMMIT ─► results
 */
import { StoreUnavailable } from '../store.ts';
import type { Database } from './database.ts';

/** Both limits bound how long one group blocks the event loop. */
const groupSizeMax = 64;
const groupMsMax = 50;

interface Commits {
  commit<Result>(work: () => Result): Promise<Result>;
  /** Commits all waiting work at once. */
  finish(): void;
}

export function createCommits(database: Database): Commits {
  let waiting: WaitingUnit[] = [];
  let turn: NodeJS.Immediate | undefined;

  const commitGroup = () => {
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

  return {
    commit: <Result>(work: () => Result) =>
      new Promise<Result>((resolve, reject) => {
        waiting.push({ run: () => runInSavepoint(database, work, { resolve, reject }), reject });
        turn ??= setImmediate(commitGroup);
      }),
    finish() {
      while (waiting.length > 0) {
        clearImmediate(turn);
        commitGroup();
      }
    },
  };
}

interface WaitingUnit {
  /** Runs the work and returns the function that settles its promise. */
  run(): () => void;
  reject(error: unknown): void;
}

interface Settlement<Result> {
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Runs one unit of work and returns the function that settles its promise after COMMIT. */
function runInSavepoint<Result>(
  database: Database,
  work: () => Result,
  { resolve, reject }: Settlement<Result>,
): () => void {
  database.run('SAVEPOINT work');
  try {
    const result = work();
    database.run('RELEASE work');
    return () => resolve(result);
  } catch (error) {
    // A failing disk fails the whole group, since SQLite may have ended the transaction already.
    if (error instanceof StoreUnavailable) throw error;
    database.run('ROLLBACK TO work');
    database.run('RELEASE work');
    return () => reject(error);
  }
}

/** Ignores an outage, since the first error counts. If ROLLBACK fails, SQLite rolls back at the next use of the file. */
function rollbackQuietly(database: Database): void {
  try {
    database.rollback();
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
  }
}
