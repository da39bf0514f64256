/** Deletes old rows of an account in batches, and measures the database. */
import type { Database } from './database.ts';
import { sweepEvents } from '../events/sqlite-events.ts';
import { sweepDeliveries } from '../webhooks/sqlite-webhooks.ts';
import type { RemovedRowCounts, SweepCutoffs } from '../queries.ts';

export function listAccountIds(database: Database, { after = '', limit }: { after?: string; limit: number }): string[] {
  const sql = 'SELECT account_id AS id FROM accounts WHERE account_id > ? ORDER BY account_id LIMIT ?';
  return database.all<{ id: string }>(sql, after, limit).map(({ id }) => id);
}

export function readDatabaseBytes(database: Database): number {
  const sql = 'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size';
  return database.get<{ bytes: number }>(sql)?.bytes ?? 0;
}

export function sweepAccount(database: Database, accountId: string, retention: SweepCutoffs): RemovedRowCounts {
  const {
    idempotencyBefore,
    unseenClientsBefore,
    revokedDevicesBefore,
    revokedCredentialsBefore,
    rowsMax,
    eventsBefore,
  } = retention;
  return {
    idempotencyKeys: database.all(deleteIdempotencyKeysSql, accountId, idempotencyBefore, rowsMax).length,
    pushAnswers: database.all(deletePushAnswersSql, accountId, unseenClientsBefore, rowsMax).length,
    deviceStatuses: database.all(deleteDeviceStatusesSql, accountId, revokedDevicesBefore, rowsMax).length,
    tokens: database.all(deleteOldTokensSql, accountId, revokedCredentialsBefore, rowsMax).length,
    devices: database.all(deleteOldDevicesSql, accountId, revokedCredentialsBefore, rowsMax).length,
    events: sweepEvents(database, accountId, { before: eventsBefore, rowsMax }),
    webhookDeliveries: sweepDeliveries(database, accountId, { before: eventsBefore, rowsMax }),
  };
}

const deleteIdempotencyKeysSql = `
  DELETE FROM idempotency_keys
   WHERE account_id = ?1
     AND key IN (SELECT key FROM idempotency_keys WHERE account_id = ?1 AND created_at < ?2 LIMIT ?3)
  RETURNING 1`;

const deletePushAnswersSql = `
  DELETE FROM push_answers
   WHERE account_id = ?1
     AND (client_id, first_seq) IN (
           SELECT answer.client_id, answer.first_seq
             FROM sync_clients AS client
             JOIN push_answers AS answer ON answer.account_id = ?1 AND answer.client_id = client.client_id
            WHERE client.account_id = ?1 AND client.seen_at < ?2 LIMIT ?3
         )
  RETURNING 1`;

const deleteDeviceStatusesSql = `
  DELETE FROM device_status
   WHERE account_id = ?1
     AND device_id IN (
           SELECT status.device_id
             FROM device_status AS status
             JOIN devices AS device ON device.account_id = ?1 AND device.id = status.device_id
            WHERE status.account_id = ?1 AND device.revoked_at < ?2 LIMIT ?3
         )
  RETURNING 1`;

/**
 * An SQL condition: no stored key names this row as its maker. The row of a key's maker stays, since a revocation of
 * the maker needs the row to find the keys that the maker made.
 */
const madeNoKeySql = (kind: 'key' | 'device') => `
           AND NOT EXISTS (
                 SELECT 1 FROM tokens AS made
                  WHERE made.account_id = ?1 AND made.created_by = json_object('kind', '${kind}', 'id', old.id))`;

const deleteOldTokensSql = `
  DELETE FROM tokens
   WHERE account_id = ?1
     AND token_hash IN (
           SELECT token_hash FROM tokens AS old
            WHERE old.account_id = ?1 AND old.revoked_at < ?2${madeNoKeySql('key')} LIMIT ?3
         )
  RETURNING 1`;

const deleteOldDevicesSql = `
  DELETE FROM devices
   WHERE account_id = ?1
     AND id IN (
           SELECT id FROM devices AS old
            WHERE old.account_id = ?1 AND old.revoked_at < ?2
              AND NOT EXISTS (SELECT 1 FROM tokens WHERE tokens.account_id = ?1 AND tokens.device_id = old.id)
              AND NOT EXISTS (
                    SELECT 1 FROM device_status AS status WHERE status.account_id = ?1 AND status.device_id = old.id)${madeNoKeySql('device')}
            LIMIT ?3
         )
  RETURNING 1`;
