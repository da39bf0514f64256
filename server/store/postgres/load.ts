/**
 * Loads the read set of a transaction under the account's lock. At READ COMMITTED, a statement sees all commits from
 * before its start. The loading statements start after the account is locked, so they see the account's latest rows.
 */
import { parseAppliedMutation, type AppliedMutationColumns } from '../rows/applied-mutation.ts';
import { parseClientRow, type ClientColumns } from '../rows/client-row.ts';
import { parseIdempotentReply, type IdempotentReplyColumns } from '../rows/idempotent-reply.ts';
import {
  parseMapDoc,
  parseRunRow,
  type MapDocColumns,
  type RunRowColumns,
  parseRunRowWithoutSteps,
} from '../rows/documents.ts';
import { uncountedAnswersMax, rejectionRowsCountedMax } from '../account-limits.ts';
import type { IdempotencyKeyPosition, IdempotencyKeySpan } from '../idempotency-lifetime.ts';
import type { AccountRow } from '../account-row.ts';
import type {
  DeviceClientCounts,
  LoadedRows,
  DeviceRejectionCount,
  StageKey,
  TransactionReadSet,
} from '../transaction.ts';
import { callsToLoadCredentials, credentialsFrom } from './credentials.ts';
import { lockAccountStatement } from './accounts.ts';
import type { StatementCall, SendBatch, StatementResult } from './connections.ts';
import { AccountRowMoved } from './failures.ts';
import { statement } from './statement.ts';
import { parseBilling, type BillingColumns } from '../billing/billing-row.ts';
import { selectBillingStatement } from '../billing/postgres-billing.ts';
import { parseWebhook, type WebhookColumns } from '../webhooks/webhook-columns.ts';
import { lockWebhooksStatement } from '../webhooks/postgres-webhooks.ts';
import { beginStatement } from './run-transaction.ts';
import { isUuid } from './types.ts';

/** Begins the transaction, locks the account's row and loads the read set, all in one batch. */
export async function beginAndLoad(
  sendBatch: SendBatch,
  accountId: string,
  readSet: TransactionReadSet,
): Promise<LoadedRows> {
  const calls: Record<string, StatementCall> = {
    begin: { statement: beginStatement },
    account: { statement: lockAccountStatement, values: [accountId] },
    ...callsToLoadReadSet(accountId, readSet),
    ...(readSet.credentials ? callsToLoadCredentials(accountId, readSet.credentials) : {}),
    ...(readSet.webhooks ? { webhooks: { statement: lockWebhooksStatement, values: [accountId] } } : {}),
    ...(readSet.billing ? { billing: { statement: selectBillingStatement, values: [accountId] } } : {}),
  };
  const results = await sendBatch(Object.values(calls));
  const names = Object.keys(calls);
  const rows = <Row>(name: string) =>
    ((results[names.indexOf(name)] as StatementResult | undefined)?.rows ?? []) as Row[];

  const [account] = rows<AccountRow>('account');
  if (!account) throw new AccountRowMoved(`The row of account ${accountId} is not where it was`);
  const [billing] = rows<BillingColumns>('billing');
  const runs = [...new Map(rows<RunRowColumns>('runs').map((row) => [row.id, row])).values()];
  const [toChange, sessions] = [new Set(readSet.runIdsToChange), new Set(readSet.recordingSessionIds)];
  const isWithSteps = (row: RunRowColumns) => toChange.has(row.id) || sessions.has(row.recording_session_id);
  return {
    account,
    maps: rows<MapDocColumns>('maps').map(parseMapDoc),
    runs: runs.filter((row) => !isWithSteps(row)).map(({ steps: _notLoaded, ...row }) => parseRunRowWithoutSteps(row)),
    runsWithSteps: runs.filter(isWithSteps).map(parseRunRow),
    takenStageIds: rows<StageKey>('takenStageIds'),
    clients: rows<ClientColumns>('clients').map(parseClientRow),
    appliedMutations: rows<AppliedMutationColumns>('appliedMutations').map(parseAppliedMutation),
    idempotentReplies: rows<IdempotentReplyColumns>('idempotentReplies').map(parseIdempotentReply),
    ...idempotencySpanOf(rows<IdempotencyKeyPosition>('idempotencySpan')),
    clientCounts: rows<DeviceClientCounts>('clientCounts'),
    rejectionCounts: rows<DeviceRejectionCount>('rejectionCounts'),
    revokedTokens: rows<{ token_hash: string }>('revokedTokens').map((row) => row.token_hash),
    ...(readSet.credentials ? { credentials: credentialsFrom(rows) } : {}),
    ...(readSet.webhooks ? { webhooks: rows<WebhookColumns>('webhooks').map(parseWebhook) } : {}),
    ...(billing ? { billing: parseBilling(billing) } : {}),
  };
}

function callsToLoadReadSet(accountId: string, readSet: TransactionReadSet): Record<string, StatementCall> {
  const calls: Record<string, StatementCall> = {};
  const { runIds, runIdsToDelete, runIdsToChange, recordingSessionIds, idempotencyKeys, tokenHashes } = readSet;
  const { mutationDigests } = readSet;
  const mapIds = readSet.mapIds.filter(isUuid);
  const clientIds = readSet.clientIds.filter(isUuid);
  const deviceMadeStageIds = readSet.deviceMadeStageIds.filter((key) => isUuid(key.map_id));
  if (mapIds.length + runIdsToDelete.length > 0) {
    calls['maps'] = { statement: selectMapsStatement, values: [accountId, mapIds, runIdsToDelete] };
  }
  if (runIds.length + runIdsToDelete.length + runIdsToChange.length + recordingSessionIds.length > 0) {
    const ids = [...runIds, ...runIdsToDelete, ...runIdsToChange];
    const newestMax = new Set(runIdsToDelete).size + 1;
    const values = [accountId, ids, recordingSessionIds, runIdsToDelete, newestMax, runIdsToChange];
    calls['runs'] = { statement: selectRunsStatement, values };
  }
  if (deviceMadeStageIds.length > 0) {
    const values = [accountId, deviceMadeStageIds.map((key) => key.map_id), deviceMadeStageIds.map((key) => key.id)];
    calls['takenStageIds'] = { statement: selectTakenStageIdsStatement, values };
  }
  if (clientIds.length > 0) {
    calls['clients'] = { statement: selectClientsStatement, values: [accountId, clientIds] };
    calls['clientCounts'] = {
      statement: countClientsStatement,
      values: [accountId, clientIds, new Set(clientIds).size, readSet.clientsSeenMin ?? '-infinity'],
    };
    calls['rejectionCounts'] = { statement: countRejectionsStatement, values: [accountId, rejectionRowsCountedMax] };
  }
  if (mutationDigests.length > 0) {
    calls['appliedMutations'] = { statement: selectAppliedMutationsStatement, values: [accountId, mutationDigests] };
  }
  if (idempotencyKeys.length > 0) {
    calls['idempotentReplies'] = { statement: selectIdempotentRepliesStatement, values: [accountId, idempotencyKeys] };
    calls['idempotencySpan'] = { statement: selectIdempotencySpanStatement, values: [accountId] };
  }
  if (tokenHashes.length > 0) {
    calls['revokedTokens'] = { statement: selectRevokedTokensStatement, values: [accountId, tokenHashes] };
  }
  return calls;
}

/** Selects maps by id, and the maps of the runs to delete. */
const selectMapsStatement = statement({
  name: 'load_maps',
  text: `
    SELECT created_version, record, stages FROM maps
     WHERE account_id = $1
       AND id = ANY ($2::uuid[] || ARRAY(SELECT map_id FROM runs WHERE account_id = $1 AND id = ANY ($3::bigint[])))`,
});

/**
 * `steps` may have megabytes, so it is null unless the transaction changes the run or finds it by its recording
 * session.
 */
const runColumnsSql = `
  id, map_id, number, created_at, version, recording_session_id, fingerprint, made_map, map_then, stage_ids, bytes, record,
  CASE WHEN recording_session_id = ANY ($3::text[]) OR id = ANY ($6::bigint[]) THEN steps END AS steps`;

/** Selects runs by id and by recording session. Also selects the newest runs of each map that has a run to delete. */
const selectRunsStatement = statement({
  name: 'load_runs',
  text: `
    SELECT ${runColumnsSql} FROM runs WHERE account_id = $1 AND id = ANY ($2::bigint[])
    UNION ALL
    SELECT ${runColumnsSql} FROM runs WHERE account_id = $1 AND recording_session_id = ANY ($3::text[])
    UNION ALL
    SELECT newest.*
      FROM (SELECT DISTINCT map_id FROM runs WHERE account_id = $1 AND id = ANY ($4::bigint[])) AS losing
      CROSS JOIN LATERAL (
        SELECT ${runColumnsSql} FROM runs
         WHERE account_id = $1 AND map_id = losing.map_id AND record IS NOT NULL
         ORDER BY number DESC LIMIT $5
      ) AS newest`,
});

const selectTakenStageIdsStatement = statement({
  name: 'load_stage_ids',
  text: `
    SELECT used.map_id, used.id
      FROM unnest($2::uuid[], $3::bigint[]) AS wanted (map_id, id)
      JOIN stage_ids AS used ON used.account_id = $1 AND used.map_id = wanted.map_id AND used.id = wanted.id`,
});

const selectClientsStatement = statement({
  name: 'load_clients',
  text: `
    SELECT client_id, device_id, seen_at, version, last_seq, acked_seq, chain, (
             SELECT array_to_json(ARRAY(SELECT json_build_array(seq, last_seq) FROM rejections WHERE account_id = $1 AND client_id = sync_clients.client_id))
           ) AS rejected
      FROM sync_clients WHERE account_id = $1 AND client_id = ANY ($2::uuid[])`,
});

const selectIdempotentRepliesStatement = statement({
  name: 'load_idempotent_replies',
  text: `
    SELECT key, fingerprint, status, headers, body, created_at, keys_before, bytes_before
      FROM idempotency_keys WHERE account_id = $1 AND key = ANY ($2::text[])`,
});

/** Returns no rows if the account was never restored, since only a restored account stores applied mutations. */
const selectAppliedMutationsStatement = statement({
  name: 'load_applied_mutations',
  text: `
    SELECT digest, client_id, version, result FROM applied_mutations
     WHERE account_id = $1 AND digest = ANY ($2::text[])`,
});

function idempotencySpanOf([oldest, newest]: IdempotencyKeyPosition[]): { idempotencySpan?: IdempotencyKeySpan } {
  return oldest && newest ? { idempotencySpan: { oldest, newest } } : {};
}

/** Returns two rows: the positions of the oldest and of the newest idempotency key. */
const selectIdempotencySpanStatement = statement({
  name: 'load_key_span',
  text: `
    (SELECT keys_before, bytes_before, created_at FROM idempotency_keys
      WHERE account_id = $1 ORDER BY keys_before LIMIT 1)
    UNION ALL
    (SELECT keys_before, bytes_before, created_at FROM idempotency_keys
      WHERE account_id = $1 ORDER BY keys_before DESC LIMIT 1)`,
});

/**
 * Counts the clients and the unacknowledged answers of each device. Returns no rows unless a client of the read set is
 * new or has many unacknowledged answers, since no other transaction needs the counts.
 */
const countClientsStatement = statement({
  name: 'count_clients',
  text: `
    SELECT device_id, count(*) FILTER (WHERE seen_at >= $4::timestamptz) AS clients,
           sum(last_seq - acked_seq)::bigint AS unacknowledged
      FROM sync_clients
     WHERE account_id = $1
       AND $3 > (
             SELECT count(*) FROM sync_clients
              WHERE account_id = $1 AND client_id = ANY ($2::uuid[]) AND last_seq - acked_seq <= ${uncountedAnswersMax}
           )
     GROUP BY device_id`,
});

const countRejectionsStatement = statement({
  name: 'count_rejections',
  text: `
    SELECT client.device_id, sum(waiting.last_seq - greatest(waiting.seq, client.acked_seq + 1) + 1)::bigint AS rejections
      FROM (SELECT client_id, seq, last_seq FROM rejections WHERE account_id = $1 LIMIT $2) AS waiting
      JOIN sync_clients AS client ON client.account_id = $1 AND client.client_id = waiting.client_id
     GROUP BY client.device_id`,
});

const selectRevokedTokensStatement = statement({
  name: 'load_revoked_tokens',
  text: `
    SELECT token_hash FROM tokens
     WHERE account_id = $1 AND token_hash = ANY ($2::text[]) AND revoked_at IS NOT NULL`,
});
