/** Writes the rows of a transaction. */
import { acknowledgedAnswersMax } from '../../../shared/schema/limits.ts';
import type { MapDoc } from '../../../shared/schema/map.ts';
import { toAppliedMutationColumns } from '../rows/applied-mutation.ts';
import { toIdempotentReplyColumns } from '../rows/idempotent-reply.ts';
import { toEventColumns } from '../events/event-row.ts';
import { toMapColumns, toRunColumns } from '../rows/documents.ts';
import { toRejectionRanges } from '../rows/client-row.ts';
import { stringifyAnswers } from '../rows/push-answers.ts';
import type { ClientRow } from '../rows/client-row.ts';
import type { IdempotentReply, TransactionWrites, RecordWrites } from '../transaction.ts';
import type { RunRow } from '../rows/documents.ts';
import { saveCredentials } from './credentials.ts';
import { saveReferences } from '../photos/sqlite-photo-references.ts';
import { insertEventsSql } from '../events/sqlite-events.ts';
import { saveBilling } from '../billing/sqlite-billing.ts';
import { saveWebhooks } from '../webhooks/sqlite-webhooks.ts';
import { stageIdsByMap } from '../rows/stage-ids-by-map.ts';
import type { Database, SqlValue, ExecuteForAccount } from './database.ts';

export function saveWrites(database: Database, accountId: string, writes: TransactionWrites): void {
  const execute = (sql: string, ...values: SqlValue[]) => database.run(sql, accountId, ...values);
  const { account } = writes;
  execute(
    `UPDATE accounts SET version = ?2, next_id = ?3, live_maps = ?4, bytes = ?5, keys_made = ?6, key_bytes_made = ?7
      WHERE account_id = ?1`,
    account.version,
    account.next_id,
    account.live_maps,
    account.bytes,
    account.keys_made,
    account.key_bytes_made,
  );
  for (const map of writes.maps) saveMap(execute, map);
  for (const row of writes.runs) {
    saveRun(execute, row);
    saveReferences(execute, row);
  }
  for (const [mapId, ids] of stageIdsByMap(writes.takenStageIds)) {
    execute(insertTakenStageIdsSql, mapId, JSON.stringify(ids));
  }
  for (const client of writes.clients) saveClient(execute, client);
  for (const { client_id, answers } of writes.pushAnswers) savePushAnswers(execute, client_id, answers);
  saveAppliedMutations(execute, writes);
  if (writes.idempotencyDeletedBefore !== undefined) {
    execute('DELETE FROM idempotency_keys WHERE account_id = ? AND created_at < ?', writes.idempotencyDeletedBefore);
  }
  for (const reply of writes.idempotentReplies) saveIdempotentReply(execute, reply);
  for (const { last_version, created_at, events } of writes.events.map(toEventColumns)) {
    execute(insertEventsSql, last_version, created_at, events);
  }
  if (writes.credentials) saveCredentials(execute, writes.credentials);
  if (writes.billing) saveBilling(execute, writes.billing);
  if (writes.webhooks) saveWebhooks(execute, writes.webhooks);
}

/**
 * Inserts all ids of a map at once, since a push of 500 recordings brings thousands. SQLite requires a WHERE between
 * SELECT and ON CONFLICT.
 */
const insertTakenStageIdsSql = `
  INSERT INTO stage_ids (account_id, map_id, id)
  SELECT ?1, ?2, value FROM json_each(?3) WHERE true ON CONFLICT DO NOTHING`;

function saveMap(execute: ExecuteForAccount, map: MapDoc): void {
  const { record, stages } = toMapColumns(map);
  execute(
    `INSERT INTO maps
       (account_id, id, version, created_version, deleted, archived, state, industry, record, stages)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
     ON CONFLICT (account_id, id) DO UPDATE
       SET version = ?3, deleted = ?5, archived = ?6, state = ?7, industry = ?8, record = ?9, stages = ?10`,
    map.id,
    map.version,
    map.created_version,
    Number(map.deleted),
    Number(map.archived),
    map.state,
    map.industry,
    JSON.stringify(record),
    JSON.stringify(stages),
  );
}

function saveRun(execute: ExecuteForAccount, row: RunRow): void {
  const { record, steps } = toRunColumns(row.doc);
  execute(
    `INSERT INTO runs
       (account_id, id, map_id, number, version, recording_session_id, fingerprint, made_map, created_at,
        record, map_then, stage_ids, steps, bytes)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
     ON CONFLICT (account_id, id) DO UPDATE
       SET version = ?5, record = ?10, map_then = ?11, stage_ids = ?12, steps = ?13, bytes = ?14`,
    row.id,
    row.map_id,
    row.number,
    row.version,
    row.recording_session_id,
    row.fingerprint,
    Number(row.made_map),
    row.created_at,
    record && JSON.stringify(record),
    JSON.stringify(row.map_then),
    JSON.stringify(row.stage_ids),
    steps && JSON.stringify(steps),
    row.bytes,
  );
}

function saveClient(execute: ExecuteForAccount, client: ClientRow): void {
  const { client_id, version, last_seq, acked_seq, chain, newRejections, device_id, seen_at } = client;
  execute(
    `INSERT INTO sync_clients (account_id, client_id, version, last_seq, acked_seq, chain, device_id, seen_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
     ON CONFLICT (account_id, client_id) DO UPDATE
       SET version = ?3, last_seq = ?4, acked_seq = ?5, chain = ?6, device_id = ?7, seen_at = ?8`,
    client_id,
    version,
    last_seq,
    acked_seq,
    chain,
    device_id,
    seen_at,
  );
  execute(deleteAcknowledgedAnswersSql, client_id, acked_seq - acknowledgedAnswersMax);
  execute(deleteAcknowledgedRejectionsSql, client_id, acked_seq);
  for (const { seq, last_seq: last, error } of toRejectionRanges(newRejections)) {
    const insert = 'INSERT INTO rejections (account_id, client_id, seq, last_seq, error) VALUES (?, ?, ?, ?, ?)';
    execute(insert, client_id, seq, last, error);
  }
}

/**
 * The conditions on `first_seq` and `seq` do not change the result. They end the scan of the index before the
 * unacknowledged rows.
 */
export const deleteAcknowledgedAnswersSql =
  'DELETE FROM push_answers WHERE account_id = ?1 AND client_id = ?2 AND first_seq <= ?3 AND last_seq <= ?3';
export const deleteAcknowledgedRejectionsSql =
  'DELETE FROM rejections WHERE account_id = ?1 AND client_id = ?2 AND seq <= ?3 AND last_seq <= ?3';

function savePushAnswers(
  execute: ExecuteForAccount,
  clientId: string,
  answers: RecordWrites['pushAnswers'][number]['answers'],
): void {
  const [first] = answers;
  const last = answers.at(-1);
  if (!first || !last) return;
  execute(
    'INSERT INTO push_answers (account_id, client_id, first_seq, last_seq, answers) VALUES (?, ?, ?, ?, ?)',
    clientId,
    first.seq,
    last.seq,
    stringifyAnswers(answers),
  );
}

function saveAppliedMutations(
  execute: ExecuteForAccount,
  { appliedMutations, appliedMutationsDeletedUpTo }: RecordWrites,
): void {
  for (const { digest, client_id, version, result } of appliedMutations.map(toAppliedMutationColumns)) {
    execute(
      `INSERT INTO applied_mutations (account_id, digest, client_id, version, result) VALUES (?1, ?2, ?3, ?4, ?5)
       ON CONFLICT (account_id, digest) DO UPDATE SET client_id = ?3, version = ?4, result = ?5`,
      digest,
      client_id,
      version,
      result,
    );
  }
  if (appliedMutationsDeletedUpTo === undefined) return;
  execute('DELETE FROM applied_mutations WHERE account_id = ? AND version <= ?', appliedMutationsDeletedUpTo);
}

function saveIdempotentReply(execute: ExecuteForAccount, reply: IdempotentReply): void {
  const columns = toIdempotentReplyColumns(reply);
  execute(
    `INSERT INTO idempotency_keys
       (account_id, key, fingerprint, status, headers, body, created_at, keys_before, bytes_before)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
     ON CONFLICT (account_id, key) DO UPDATE
       SET fingerprint = ?3, status = ?4, headers = ?5, body = ?6, created_at = ?7, keys_before = ?8, bytes_before = ?9`,
    columns.key,
    columns.fingerprint,
    columns.status,
    columns.headers,
    columns.body,
    columns.created_at,
    columns.keys_before,
    columns.bytes_before,
  );
}
