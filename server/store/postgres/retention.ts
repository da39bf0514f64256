/** Deletes old rows of an account in batches. */
import type { Connections } from './connections.ts';
import { statement } from './statement.ts';
import type { RemovedRowCounts, Retention } from '../queries.ts';

const nilUuid = '00000000-0000-0000-0000-000000000000';

export async function listAccountIds(
  connections: Connections,
  { after = nilUuid, limit }: { after?: string; limit: number },
): Promise<string[]> {
  const rows = await connections.query<{ id: string }>(selectAccountIdsStatement, [after, limit]);
  return rows.map(({ id }) => id);
}

export async function sweepAccount(
  connections: Connections,
  accountId: string,
  { idempotencyBefore, unseenClientsBefore, revokedDevicesBefore, rowsMax }: Retention,
): Promise<RemovedRowCounts> {
  const keys = await connections.query(deleteIdempotencyKeysStatement, [accountId, idempotencyBefore, rowsMax]);
  const answers = await connections.query(deletePushAnswersStatement, [accountId, unseenClientsBefore, rowsMax]);
  const statuses = await connections.query(deleteDeviceStatusesStatement, [accountId, revokedDevicesBefore, rowsMax]);
  return { idempotencyKeys: keys.length, pushAnswers: answers.length, deviceStatuses: statuses.length };
}

const selectAccountIdsStatement = statement({
  text: 'SELECT account_id AS id FROM accounts WHERE account_id > $1 ORDER BY account_id LIMIT $2',
});

const deleteIdempotencyKeysStatement = statement({
  text: `
    DELETE FROM idempotency_keys
     WHERE account_id = $1
       AND key IN (SELECT key FROM idempotency_keys WHERE account_id = $1 AND created_at < $2 LIMIT $3)
    RETURNING 1`,
});

const deletePushAnswersStatement = statement({
  text: `
    DELETE FROM push_answers
     WHERE account_id = $1
       AND (client_id, first_seq) IN (
             SELECT answer.client_id, answer.first_seq
               FROM sync_clients AS client
               JOIN push_answers AS answer ON answer.account_id = $1 AND answer.client_id = client.client_id
              WHERE client.account_id = $1 AND client.seen_at < $2 LIMIT $3
           )
    RETURNING 1`,
});

const deleteDeviceStatusesStatement = statement({
  text: `
    DELETE FROM device_status
     WHERE account_id = $1
       AND device_id IN (
             SELECT status.device_id
               FROM device_status AS status
               JOIN devices AS device ON device.account_id = $1 AND device.id = status.device_id
              WHERE status.account_id = $1 AND device.revoked_at < $2 LIMIT $3
           )
    RETURNING 1`,
});
