/** Runs transactions in two round trips: BEGIN and the first statements, then the remaining statements and COMMIT. */
import type { Connections, SendBatch, StatementCall, StatementResult } from './connections.ts';
import { statement } from './statement.ts';

export const beginStatement = statement({ text: 'BEGIN ISOLATION LEVEL READ COMMITTED' });

const commitStatement = statement({ text: 'COMMIT' });

const rollbackStatement = statement({ text: 'ROLLBACK' });

interface LastStatements<Result> {
  calls: StatementCall[];
  result: Result;
}

/**
 * Runs the statements `first`, then the statements that `decide` returns for their results. If `decide` returns
 * undefined, the transaction is rolled back and the result is undefined.
 */
export function runTransaction<Result>(
  connections: Connections,
  first: StatementCall[],
  decide: (results: StatementResult[]) => LastStatements<Result> | undefined,
): Promise<Result | undefined> {
  return connections.borrow((sendBatch) =>
    rollbackOnError(sendBatch, async () => {
      const [, ...results] = await sendBatch([{ statement: beginStatement }, ...first]);
      const last = decide(results);
      if (last) await sendAndCommit(sendBatch, last.calls);
      else await sendBatch([{ statement: rollbackStatement }]);
      return last?.result;
    }),
  );
}

export async function sendAndCommit(sendBatch: SendBatch, calls: StatementCall[]): Promise<void> {
  const results = await sendBatch([...calls, { statement: commitStatement }]);
  // COMMIT of a failed transaction rolls back without an error, so check the executed command.
  if (results.at(-1)?.command !== 'COMMIT') throw new Error('PostgreSQL rolled back what was to be committed');
}

export async function rollbackOnError<Result>(sendBatch: SendBatch, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    // ROLLBACK fails if the connection is broken. The pool then closes the connection, and PostgreSQL rolls back by
    // itself.
    await sendBatch([{ statement: rollbackStatement }]).catch(() => {});
    throw error;
  }
}
