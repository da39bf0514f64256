-- Endpoints of webhooks. `cursor` is the version of the last event that was delivered, set aside or left out.
CREATE TABLE webhooks (
  account_id TEXT NOT NULL,
  id         TEXT NOT NULL,
  cursor     INTEGER NOT NULL,
  -- Grows with each write, so that a delivery does not write over what others changed meanwhile.
  revision   INTEGER NOT NULL,
  settings   TEXT NOT NULL,
  state      TEXT NOT NULL,
  PRIMARY KEY (account_id, id)
) STRICT;

-- The last try of each event at each endpoint.
CREATE TABLE webhook_deliveries (
  account_id TEXT NOT NULL,
  webhook_id TEXT NOT NULL,
  version    INTEGER NOT NULL,
  outcome    TEXT NOT NULL,
  at         TEXT NOT NULL,
  record     TEXT NOT NULL,
  PRIMARY KEY (account_id, webhook_id, version)
) STRICT;

-- The accounts that have endpoints, by a hash of their ids. One process at a time delivers those of a bucket.
CREATE TABLE webhook_accounts (
  bucket     INTEGER NOT NULL,
  account_id TEXT NOT NULL,
  PRIMARY KEY (bucket, account_id)
) STRICT;

CREATE TABLE webhook_buckets (
  bucket       INTEGER NOT NULL PRIMARY KEY,
  holder       TEXT NOT NULL,
  leased_until TEXT NOT NULL
) STRICT;

-- The secrets of endpoints are derived from it.
ALTER TABLE store_info ADD COLUMN webhook_key TEXT;
