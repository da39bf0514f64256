/**
 * Makes the statements that write the rows of a transaction. One statement for each table gets all its rows as one JSON
 * parameter. A table without rows to write gets no statement.
 */
import { acknowledgedAnswersMax } from '../../../shared/schema/limits.ts';
import { toAppliedMutationColumns } from '../rows/applied-mutation.ts';
import { toIdempotentReplyColumns } from '../rows/idempotent-reply.ts';
import { toEventColumns } from '../events/event-row.ts';
import { insertEventsStatement } from '../events/postgres-events.ts';
import { toMapColumns, toRunColumns } from '../rows/documents.ts';
import { toRejectionRanges } from '../rows/client-row.ts';
import { stringifyAnswers } from '../rows/push-answers.ts';
import type { ClientRow } from '../rows/client-row.ts';
import type { TransactionWrites, RecordWrites } from '../transaction.ts';
import { callsToSaveReferences } from '../photos/postgres-photo-references.ts';
import { callToUpsertBilling } from '../billing/postgres-billing.ts';
import { callsToSaveWebhooks } from '../webhooks/postgres-webhooks.ts';
import { callsToSaveCredentials } from './credentials.ts';
import type { StatementCall } from './connections.ts';
import { ownAccountRowSql, statement, type Statement } from './statement.ts';

export function callsToSave(accountId: string, writes: TransactionWrites): StatementCall[] {
  const { version, next_id, live_maps, bytes, keys_made, key_bytes_made } = writes.account;
  const counters = [version, next_id, live_maps, bytes, keys_made, key_bytes_made];
  const calls: StatementCall[] = [{ statement: updateAccountStatement, values: [accountId, ...counters] }];
  const saveRows = (upsert: Statement, rows: unknown[]) => {
    if (rows.length > 0) calls.push({ statement: upsert, values: [accountId, JSON.stringify(rows)] });
  };
  saveRows(
    upsertMapsStatement,
    writes.maps.map((map) => ({ ...map, ...toMapColumns(map) })),
  );
  saveRows(
    upsertRunsStatement,
    writes.runs.map(({ doc, ...row }) => ({ ...row, ...toRunColumns(doc) })),
  );
  calls.push(...callsToSaveReferences(accountId, writes.runs));
  saveRows(insertTakenStageIdsStatement, writes.takenStageIds);
  saveRows(upsertClientsStatement, writes.clients.map(toClientColumns));
  if (writes.clients.length > 0) {
    const upTo = (keptCount: number) => [accountId, ...deletionParameters(writes, keptCount)];
    calls.push({ statement: deleteAcknowledgedAnswersStatement, values: upTo(acknowledgedAnswersMax) });
    calls.push({ statement: deleteAcknowledgedRejectionsStatement, values: upTo(0) });
  }
  saveRows(insertRejectionsStatement, newRejectionRanges(writes));
  saveRows(insertPushAnswersStatement, pushAnswerRows(writes));
  saveRows(upsertAppliedMutationsStatement, writes.appliedMutations.map(toAppliedMutationColumns));
  if (writes.appliedMutationsDeletedUpTo !== undefined) {
    const values = [accountId, writes.appliedMutationsDeletedUpTo];
    calls.push({ statement: deleteOldAppliedMutationsStatement, values });
  }
  if (writes.idempotencyDeletedBefore !== undefined) {
    calls.push({ statement: deleteOldIdempotencyKeysStatement, values: [accountId, writes.idempotencyDeletedBefore] });
  }
  saveRows(upsertIdempotentRepliesStatement, writes.idempotentReplies.map(toIdempotentReplyColumns));
  saveRows(insertEventsStatement, writes.events.map(toEventColumns));
  if (writes.credentials) calls.push(...callsToSaveCredentials(accountId, writes.credentials));
  if (writes.billing) calls.push(callToUpsertBilling(accountId, writes.billing));
  if (writes.webhooks) calls.push(...callsToSaveWebhooks(accountId, writes.webhooks));
  return calls;
}

const toClientColumns = ({ rejectedSeqs: _stored, newRejections: _new, ...columns }: ClientRow) => columns;

/**
 * Returns the values of a deletion: the client ids, the last sequence number to delete for each client, and the highest
 * of these numbers.
 */
function deletionParameters({ clients }: RecordWrites, keptCount: number): [string[], number[], number] {
  const acked = clients.map(({ acked_seq }) => acked_seq - keptCount);
  return [clients.map(({ client_id }) => client_id), acked, acked.reduce((most, seq) => Math.max(most, seq))];
}

const newRejectionRanges = ({ clients }: RecordWrites) =>
  clients.flatMap(({ client_id, newRejections }) =>
    toRejectionRanges(newRejections).map((range) => ({ client_id, ...range })),
  );

const pushAnswerRows = ({ pushAnswers }: RecordWrites) =>
  pushAnswers.flatMap(({ client_id, answers }) => {
    const [first] = answers;
    const last = answers.at(-1);
    return first && last
      ? [{ client_id, first_seq: first.seq, last_seq: last.seq, answers: stringifyAnswers(answers) }]
      : [];
  });

const updateAccountStatement = statement({
  name: 'save_account',
  text: `
    UPDATE accounts SET version = $2, next_id = $3, live_maps = $4, bytes = $5, keys_made = $6, key_bytes_made = $7
     WHERE account_id = $1`,
});

const upsertMapsStatement = statement({
  name: 'save_maps',
  text: `
    INSERT INTO maps
      (account_id, id, version, created_version, deleted, archived, state, industry, record, stages)
    SELECT account.account_id, id, version, created_version, deleted, archived, state, industry, record, stages
      FROM ${ownAccountRowSql}, json_to_recordset($2::json) AS written (
        id uuid, version bigint, created_version bigint, deleted boolean, archived boolean, state text, industry text, record json, stages json)
    ON CONFLICT (account_id, id) DO UPDATE
       SET version = excluded.version, deleted = excluded.deleted, archived = excluded.archived, state = excluded.state,
           industry = excluded.industry, record = excluded.record, stages = excluded.stages`,
});

const upsertRunsStatement = statement({
  name: 'save_runs',
  text: `
    INSERT INTO runs
      (account_id, id, map_id, number, version, recording_session_id, fingerprint, made_map, created_at, record, map_then,
       stage_ids, steps, bytes)
    SELECT account.account_id, id, map_id, number, version, recording_session_id, fingerprint, made_map, created_at, record, map_then,
           stage_ids, steps, bytes
      FROM ${ownAccountRowSql}, json_to_recordset($2::json) AS written (
        id bigint, map_id uuid, number bigint, version bigint, recording_session_id text, fingerprint text,
        made_map boolean, created_at timestamptz, record json, map_then json, stage_ids json, steps json, bytes bigint)
    ON CONFLICT (account_id, id) DO UPDATE
       SET version = excluded.version, record = excluded.record, map_then = excluded.map_then,
           stage_ids = excluded.stage_ids, steps = excluded.steps, bytes = excluded.bytes`,
});

const insertTakenStageIdsStatement = statement({
  name: 'save_stage_ids',
  text: `
    INSERT INTO stage_ids (account_id, map_id, id)
    SELECT account.account_id, map_id, id FROM ${ownAccountRowSql}, json_to_recordset($2::json) AS written (map_id uuid, id bigint)
    ON CONFLICT (account_id, map_id, id) DO NOTHING`,
});

const upsertClientsStatement = statement({
  name: 'save_clients',
  text: `
    INSERT INTO sync_clients (account_id, client_id, version, last_seq, acked_seq, chain, device_id, seen_at)
    SELECT account.account_id, client_id, version, last_seq, acked_seq, chain, device_id, seen_at
      FROM ${ownAccountRowSql}, json_to_recordset($2::json) AS written (
        client_id uuid, version bigint, last_seq bigint, acked_seq bigint, chain text, device_id uuid,
        seen_at timestamptz)
    ON CONFLICT (account_id, client_id) DO UPDATE
       SET version = excluded.version, last_seq = excluded.last_seq, acked_seq = excluded.acked_seq,
           chain = excluded.chain, device_id = excluded.device_id, seen_at = excluded.seen_at`,
});

/**
 * The conditions on `first_seq` and `seq` do not change the result. They end the scan of the index before the
 * unacknowledged rows. $4 is the highest of the numbers in $3.
 */
const deleteAcknowledgedAnswersStatement = statement({
  name: 'delete_acknowledged_answers',
  text: `
    DELETE FROM push_answers
     WHERE account_id = $1 AND client_id = ANY ($2::uuid[]) AND first_seq <= $4
       AND last_seq <= ($3::bigint[])[array_position($2::uuid[], client_id)]`,
});

const deleteAcknowledgedRejectionsStatement = statement({
  name: 'delete_acknowledged_rejections',
  text: `
    DELETE FROM rejections
     WHERE account_id = $1 AND client_id = ANY ($2::uuid[]) AND seq <= $4
       AND last_seq <= ($3::bigint[])[array_position($2::uuid[], client_id)]`,
});

const insertRejectionsStatement = statement({
  name: 'save_rejections',
  text: `
    INSERT INTO rejections (account_id, client_id, seq, last_seq, error)
    SELECT account.account_id, client_id, seq, last_seq, error
      FROM ${ownAccountRowSql}, json_to_recordset($2::json) AS written (client_id uuid, seq bigint, last_seq bigint, error text)`,
});

const insertPushAnswersStatement = statement({
  name: 'save_push_answers',
  text: `
    INSERT INTO push_answers (account_id, client_id, first_seq, last_seq, answers)
    SELECT account.account_id, client_id, first_seq, last_seq, answers
      FROM ${ownAccountRowSql}, json_to_recordset($2::json) AS written (client_id uuid, first_seq bigint, last_seq bigint, answers text)`,
});

const upsertAppliedMutationsStatement = statement({
  name: 'save_applied_mutations',
  text: `
    INSERT INTO applied_mutations (account_id, digest, client_id, version, result)
    SELECT account.account_id, digest, client_id, written.version, result
      FROM ${ownAccountRowSql}, json_to_recordset($2::json) AS written (digest text, client_id uuid, version bigint, result text)
    ON CONFLICT (account_id, digest) DO UPDATE
       SET client_id = excluded.client_id, version = excluded.version, result = excluded.result`,
});

const deleteOldAppliedMutationsStatement = statement({
  name: 'delete_old_applied_mutations',
  text: 'DELETE FROM applied_mutations WHERE account_id = $1 AND version <= $2',
});

const deleteOldIdempotencyKeysStatement = statement({
  name: 'delete_old_idempotency_keys',
  text: 'DELETE FROM idempotency_keys WHERE account_id = $1 AND created_at < $2',
});

const upsertIdempotentRepliesStatement = statement({
  name: 'save_idempotent_replies',
  text: `
    INSERT INTO idempotency_keys
      (account_id, key, fingerprint, status, headers, body, created_at, keys_before, bytes_before)
    SELECT account.account_id, key, fingerprint, status, headers, body, created_at, keys_before, bytes_before
      FROM ${ownAccountRowSql}, json_to_recordset($2::json) AS written (
        key text, fingerprint text, status integer, headers text, body text, created_at timestamptz,
        keys_before bigint, bytes_before bigint)
    ON CONFLICT (account_id, key) DO UPDATE
       SET fingerprint = excluded.fingerprint, status = excluded.status, headers = excluded.headers,
           body = excluded.body, created_at = excluded.created_at, keys_before = excluded.keys_before,
           bytes_before = excluded.bytes_before`,
});
