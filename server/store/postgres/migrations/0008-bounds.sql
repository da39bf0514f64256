-- What bounds an account: the bytes of its maps and runs, and the idempotency keys that it ever made, with the bytes of
-- their answers. A key keeps where both stood before it, so that the oldest one tells how much is remembered.
ALTER TABLE accounts
  ADD COLUMN bytes          bigint NOT NULL DEFAULT 0,
  ADD COLUMN keys_made      bigint NOT NULL DEFAULT 0,
  ADD COLUMN key_bytes_made bigint NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN bytes bigint NOT NULL DEFAULT 0;
ALTER TABLE idempotency_keys
  ADD COLUMN keys_before  bigint NOT NULL DEFAULT 0,
  ADD COLUMN bytes_before bigint NOT NULL DEFAULT 0;
CREATE INDEX idempotency_keys_in_order ON idempotency_keys (account_id, keys_before);

-- The device that a client belongs to (null: API keys), and when it pushed last.
ALTER TABLE sync_clients
  ADD COLUMN device_id uuid,
  ADD COLUMN seen_at   timestamptz;

UPDATE runs SET bytes = octet_length(record::text) + octet_length(steps::text) WHERE record IS NOT NULL;
UPDATE idempotency_keys AS key SET keys_before = earlier.keys, bytes_before = earlier.bytes
  FROM (
    SELECT account_id, key, row_number() OVER made - 1 AS keys, sum(octet_length(body)) OVER made - octet_length(body) AS bytes
      FROM idempotency_keys WINDOW made AS (PARTITION BY account_id ORDER BY created_at, key)
  ) AS earlier
 WHERE key.account_id = earlier.account_id AND key.key = earlier.key;
UPDATE accounts AS account SET
  bytes = coalesce((SELECT sum(bytes) FROM runs WHERE runs.account_id = account.account_id), 0)
        + coalesce((SELECT sum(octet_length(record::text) + octet_length(stages::text)) FROM maps
                     WHERE maps.account_id = account.account_id), 0),
  keys_made = coalesce((SELECT max(keys_before) + 1 FROM idempotency_keys AS key
                         WHERE key.account_id = account.account_id), 0),
  key_bytes_made = coalesce((SELECT sum(octet_length(body)) FROM idempotency_keys AS key
                              WHERE key.account_id = account.account_id), 0);
