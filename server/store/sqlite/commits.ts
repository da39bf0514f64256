/**
 * Group commit. Work that is waiting in the same turn of the event loop shares one BEGIN..COMMIT, and so one sync of the log,
 * each with its own savepoint: one that throws takes nobody along. Nobody is answered before COMMIT returned.
 *
 *   commit(work) ─► waiting ─ next turn ─► BEGIN IMMEDIATE ─ savepoint, work, release ─ ... ─ COMMIT ─► answers
 */
import { StoreUnavailable } from '../store.ts';
import type { Database } from './database.ts';

/** Both bound how long one group holds up the event loop. */
const groupSizeMax = 64;
const groupMsMax = 50;

interface Commits {
  commit<Result>(work: () => Result): Promise<Result>;
  /** Commits what is waiting. */
  finish(): void;
}

export function createCommits(database: Database): Commits {
  let waiting: Waiting[] = [];
  let turn: NodeJS.Immediate | undefined;

  const commitGroup = () => {
    let group = waiting.slice(0, groupSizeMax);
    try {
      database.run('BEGIN IMMEDIATE');
      const startedAt = performance.now();
      const settlements: (() => void)[] = [];
      for (const one of group) {
        settlements.push(attempt(database, one));
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
        waiting.push({ work, resolve: (result) => resolve(result as Result), reject });
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

interface Waiting {
  work: () => unknown;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/** Does one piece of work and says how to answer it once the group is committed. */
function attempt(database: Database, { work, resolve, reject }: Waiting): () => void {
  database.run('SAVEPOINT work');
  try {
    const result = work();
    database.run('RELEASE work');
    return () => resolve(result);
  } catch (error) {
    // A failing disk fails the group: SQLite may have left the transaction already.
    if (error instanceof StoreUnavailable) throw error;
    database.run('ROLLBACK TO work');
    database.run('RELEASE work');
    return () => reject(error);
  }
}

/** What failed first is what counts; a disk that fails may fail this too, and SQLite then rolls back at the next use. */
function rollbackQuietly(database: Database): void {
  try {
    database.rollback();
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
  }
}
