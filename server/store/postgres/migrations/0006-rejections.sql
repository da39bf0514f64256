-- The refused mutations whose answer a client has not acknowledged, a row each: a push writes those that it adds. An error
-- is JSON in text, verbatim, since it may quote a device's text that JSONB refuses.
CREATE TABLE rejections (
  account_id uuid NOT NULL,
  client_id  uuid NOT NULL,
  seq        bigint NOT NULL,
  error      text NOT NULL,
  PRIMARY KEY (account_id, client_id, seq)
);

-- Cut out of the text as it was written: to look into such JSON, PostgreSQL would have to read what it refuses.
INSERT INTO rejections (account_id, client_id, seq, error)
SELECT account_id, client_id,
       substring(rejection::text FROM '^\{"seq":(\d+),')::bigint,
       substring(rejection::text FROM '^\{"seq":\d+,"error":(.*)\}$')
  FROM sync_clients CROSS JOIN LATERAL json_array_elements(rejections::json) AS rejection;

ALTER TABLE sync_clients DROP COLUMN rejections;
