-- What bounds an account: the bytes of its maps and runs, and the idempotency keys that it ever made, with the bytes of
-- their answers. A key keeps where both stood before it, so that the oldest one tells how much is remembered.
ALTER TABLE accounts ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN keys_made INTEGER NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN key_bytes_made INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE idempotency_keys ADD COLUMN keys_before INTEGER NOT NULL DEFAULT 0;
ALTER TABLE idempotency_keys ADD COLUMN bytes_before INTEGER NOT NULL DEFAULT 0;
CREATE INDEX idempotency_keys_in_order ON idempotency_keys (account_id, keys_before);

-- The device that a client belongs to (null: API keys), and when it pushed last.
ALTER TABLE sync_clients ADD COLUMN device_id TEXT;
ALTER TABLE sync_clients ADD COLUMN seen_at TEXT;

UPDATE runs SET bytes = octet_length(record) + octet_length(steps) WHERE record IS NOT NULL;
UPDATE idempotency_keys SET keys_before = earlier.keys, bytes_before = earlier.bytes
  FROM (
    SELECT account_id, key, row_number() OVER made - 1 AS keys, sum(octet_length(body)) OVER made - octet_length(body) AS bytes
      FROM idempotency_keys WINDOW made AS (PARTITION BY account_id ORDER BY created_at, key)
  ) AS earlier
 WHERE idempotency_keys.account_id = earlier.account_id AND idempotency_keys.key = earlier.key;
UPDATE accounts SET
  bytes = coalesce((SELECT sum(bytes) FROM runs WHERE runs.account_id = accounts.account_id), 0)
        + coalesce((SELECT sum(octet_length(record) + octet_length(stages)) FROM maps
                     WHERE maps.account_id = accounts.account_id), 0),
  keys_made = coalesce((SELECT max(keys_before) + 1 FROM idempotency_keys
                         WHERE idempotency_keys.account_id = accounts.account_id), 0),
  key_bytes_made = coalesce((SELECT sum(octet_length(body)) FROM idempotency_keys
                              WHERE idempotency_keys.account_id = accounts.account_id), 0);
