/** Deletes old rows of an account in batches. */
import { sweepEvents } from '../events/postgres-events.ts';
import { sweepDeliveries } from '../webhooks/postgres-webhooks.ts';
import type { Connections } from './connections.ts';
import { statement, type Statement } from './statement.ts';
import type { RemovedRowCounts, SweepCutoffs } from '../queries.ts';

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
  retention: SweepCutoffs,
): Promise<RemovedRowCounts> {
  const {
    idempotencyBefore,
    unseenClientsBefore,
    revokedDevicesBefore,
    revokedCredentialsBefore,
    rowsMax,
    eventsBefore,
  } = retention;
  const keys = await connections.query(deleteIdempotencyKeysStatement, [accountId, idempotencyBefore, rowsMax]);
  const answers = await connections.query(deletePushAnswersStatement, [accountId, unseenClientsBefore, rowsMax]);
  const statuses = await connections.query(deleteDeviceStatusesStatement, [accountId, revokedDevicesBefore, rowsMax]);
  const revoked = [accountId, revokedCredentialsBefore, rowsMax];
  return {
    idempotencyKeys: keys.length,
    pushAnswers: answers.length,
    deviceStatuses: statuses.length,
    tokens: await selectThenDelete(connections, revoked, {
      find: selectOldTokensStatement,
      remove: deleteOldTokensStatement,
    }),
    devices: await selectThenDelete(connections, revoked, {
      find: selectOldDevicesStatement,
      remove: deleteOldDevicesStatement,
    }),
    events: await sweepEvents(connections, accountId, { before: eventsBefore, rowsMax }),
    webhookDeliveries: await sweepDeliveries(connections, accountId, { before: eventsBefore, rowsMax }),
  };
}

/**
 * Selects the ids of the rows, then deletes these rows with a second statement. One DELETE would contain
 * `madeNoKeySql`, which builds JSON from a column, and Citus refuses such a DELETE.
 */
async function selectThenDelete(
  connections: Connections,
  [accountId, before, rowsMax]: (string | number)[],
  { find, remove }: { find: Statement; remove: Statement },
): Promise<number> {
  const found = await connections.query<{ id: string }>(find, [accountId, before, rowsMax]);
  if (found.length === 0) return 0;
  return (await connections.query(remove, [accountId, before, found.map(({ id }) => id)])).length;
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

/**
 * An SQL condition: no stored key names this row as its maker. The row of a key's maker stays, since a revocation of
 * the maker needs the row to find the keys that the maker made.
 */
const madeNoKeySql = (kind: 'key' | 'device') => `
       AND NOT EXISTS (
             SELECT 1 FROM tokens AS made
              WHERE made.account_id = $1 AND made.created_by = jsonb_build_object('kind', '${kind}', 'id', old.id))`;

const selectOldTokensStatement = statement({
  text: `
    SELECT old.token_hash AS id FROM tokens AS old
     WHERE old.account_id = $1 AND old.revoked_at < $2${madeNoKeySql('key')} LIMIT $3`,
});

const deleteOldTokensStatement = statement({
  text: `
    DELETE FROM tokens WHERE account_id = $1 AND revoked_at < $2 AND token_hash = ANY ($3::text[]) RETURNING 1`,
});

const selectOldDevicesStatement = statement({
  text: `
    SELECT old.id FROM devices AS old
     WHERE old.account_id = $1 AND old.revoked_at < $2
       AND NOT EXISTS (SELECT 1 FROM tokens WHERE tokens.account_id = $1 AND tokens.device_id = old.id)
       AND NOT EXISTS (
             SELECT 1 FROM device_status AS status WHERE status.account_id = $1 AND status.device_id = old.id)${madeNoKeySql('device')} LIMIT $3`,
});

const deleteOldDevicesStatement = statement({
  text: `
    DELETE FROM devices WHERE account_id = $1 AND revoked_at < $2 AND id = ANY ($3::uuid[]) RETURNING 1`,
});
