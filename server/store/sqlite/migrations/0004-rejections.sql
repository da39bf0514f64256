-- The refused mutations whose answer a client has not acknowledged, a row each: a push writes those that it adds. An error
-- is JSON text, apart from the key, so that the numbers alone are read quickly.
CREATE TABLE rejections (
  account_id TEXT NOT NULL,
  client_id  TEXT NOT NULL,
  seq        INTEGER NOT NULL,
  error      TEXT NOT NULL,
  PRIMARY KEY (account_id, client_id, seq)
) STRICT;

INSERT INTO rejections (account_id, client_id, seq, error)
SELECT account_id, client_id, rejection.value ->> 'seq', rejection.value -> 'error'
  FROM sync_clients, json_each(sync_clients.rejections) AS rejection;

ALTER TABLE sync_clients DROP COLUMN rejections;
