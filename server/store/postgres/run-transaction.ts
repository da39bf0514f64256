/** Runs transactions in two round trips: BEGIN and the first statements, then the last ones and COMMIT. */
import type { Connections, SendBatch, StatementCall, StatementResult } from './connections.ts';
import { statement } from './statement.ts';

export const beginStatement = statement({ text: 'BEGIN ISOLATION LEVEL READ COMMITTED' });

const commitStatement = statement({ text: 'COMMIT' });

const rollbackStatement = statement({ text: 'ROLLBACK' });

interface Ending<Result> {
  /** The last statements. */
  calls: StatementCall[];
  result: Result;
}

/** Runs `first`, and what `decide` makes of its results. Undoes both and resolves to undefined if `decide` returns undefined. */
export function runTransaction<Result>(
  connections: Connections,
  first: StatementCall[],
  decide: (results: StatementResult[]) => Ending<Result> | undefined,
): Promise<Result | undefined> {
  return connections.borrow((sendBatch) =>
    orRollback(sendBatch, async () => {
      const [, ...results] = await sendBatch([{ statement: beginStatement }, ...first]);
      const ending = decide(results);
      if (ending) await sendAndCommit(sendBatch, ending.calls);
      else await sendBatch([{ statement: rollbackStatement }]);
      return ending?.result;
    }),
  );
}

export async function sendAndCommit(sendBatch: SendBatch, calls: StatementCall[]): Promise<void> {
  const results = await sendBatch([...calls, { statement: commitStatement }]);
  // COMMIT of a failed transaction rolls back without an error, so check the executed command.
  if (results.at(-1)?.command !== 'COMMIT') throw new Error('PostgreSQL rolled back what was to be committed');
}

export async function orRollback<Result>(sendBatch: SendBatch, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    // ROLLBACK fails if the connection is broken. The pool then closes the connection, and PostgreSQL rolls back by itself.
    await sendBatch([{ statement: rollbackStatement }]).catch(() => {});
    throw error;
  }
}
