import type { Connections, SendBatch } from '../postgres/connections.ts';
import { rollbackOnError, sendAndCommit } from '../postgres/run-transaction.ts';
import { statement, type Statement } from '../postgres/statement.ts';
import { isUuid } from '../postgres/types.ts';
import {
  parseRunWithMapName,
  parseRunSummary,
  type RunSnapshot,
  type RunWithMapNameColumns,
  type RunSummaryColumns,
} from './run-snapshot.ts';
import { snapshotMsMax, createSnapshotTimeout } from './snapshot-timeout.ts';

const beginSnapshotStatement = statement({ text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' });

/**
 * Allows the transaction a longer idle time than other transactions. Between two reads, an export writes what it has
 * read, and the write may stall.
 */
const allowIdleStatement = statement({
  text: "SELECT set_config('idle_in_transaction_session_timeout', $1, true)",
});

const summaryColumnsSql = `
  runs.id, runs.map_id, runs.number, runs.created_at, runs.record ->> 'started_at' AS started_at,
  runs.record ->> 'step_count' AS step_count, runs.bytes, maps.deleted AS map_deleted`;

const selectRunsOfAccountStatement = statement({
  text: `
    SELECT ${summaryColumnsSql}
      FROM runs JOIN maps ON maps.account_id = $1 AND maps.id = runs.map_id
     WHERE runs.account_id = $1 AND runs.record IS NOT NULL
       AND (runs.created_at, runs.id) > ($2::timestamptz, $3::bigint)
     ORDER BY runs.created_at, runs.id LIMIT $4`,
});

const selectSummariesOfMapStatement = statement({
  text: `
    SELECT ${summaryColumnsSql}
      FROM runs JOIN maps ON maps.account_id = $1 AND maps.id = $2
     WHERE runs.account_id = $1 AND runs.map_id = $2 AND runs.number > $3 AND runs.record IS NOT NULL
     ORDER BY runs.number LIMIT $4`,
});

const selectSummariesStatement = statement({
  text: `
    SELECT ${summaryColumnsSql}
      FROM runs JOIN maps ON maps.account_id = $1 AND maps.id = runs.map_id
     WHERE runs.account_id = $1 AND runs.id = ANY ($2::bigint[]) AND runs.record IS NOT NULL`,
});

const selectRunsWithMapNamesStatement = statement({
  text: `
    SELECT runs.record, runs.steps, maps.record ->> 'name' AS map_name
      FROM runs JOIN maps ON maps.account_id = $1 AND maps.id = runs.map_id
     WHERE runs.account_id = $1 AND runs.id = ANY ($2::bigint[]) AND runs.record IS NOT NULL`,
});

/** A position before every run. PostgreSQL can compare so early a time, since its times begin in 4713 BC. */
const positionBeforeAllRuns = { created_at: '0001-01-01T00:00:00.000Z', id: 0 };

export function withRunSnapshot<Result>(
  connections: Connections,
  accountId: string,
  work: (snapshot: RunSnapshot) => Promise<Result>,
  msMax = snapshotMsMax,
): Promise<Result> {
  return connections.borrow((sendBatch) =>
    rollbackOnError(sendBatch, async () => {
      await sendBatch([
        { statement: beginSnapshotStatement },
        { statement: allowIdleStatement, values: [`${msMax}ms`] },
      ]);
      const result = await work(snapshotOf(sendBatch, accountId, createSnapshotTimeout(msMax)));
      await sendAndCommit(sendBatch, []);
      return result;
    }),
  );
}

function snapshotOf(sendBatch: SendBatch, accountId: string, refuseIfOld: () => void): RunSnapshot {
  const query = async <Row>(text: Statement, values: unknown[]): Promise<Row[]> => {
    refuseIfOld();
    const [result] = await sendBatch([{ statement: text, values: [accountId, ...values] }]);
    return (result?.rows ?? []) as Row[];
  };
  return {
    async runsOfAccount({ after = positionBeforeAllRuns, limit }) {
      const values = [after.created_at, after.id, limit];
      return (await query<RunSummaryColumns>(selectRunsOfAccountStatement, values)).map(parseRunSummary);
    },
    async runsOfMap({ mapId, after = 0, limit }) {
      if (!isUuid(mapId)) return [];
      return (await query<RunSummaryColumns>(selectSummariesOfMapStatement, [mapId, after, limit])).map(
        parseRunSummary,
      );
    },
    summaries: async (ids) => (await query<RunSummaryColumns>(selectSummariesStatement, [ids])).map(parseRunSummary),
    load: async (ids) =>
      (await query<RunWithMapNameColumns>(selectRunsWithMapNamesStatement, [ids])).map(parseRunWithMapName),
  };
}
