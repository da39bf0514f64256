-- Endpoints of webhooks. `cursor` is the version of the last event that was delivered, set aside or left out.
CREATE TABLE webhooks (
  account_id uuid NOT NULL,
  id         uuid NOT NULL,
  cursor     bigint NOT NULL,
  -- Grows with each write, so that a delivery does not write over what others changed meanwhile.
  revision   bigint NOT NULL,
  settings   text NOT NULL,
  state      text NOT NULL,
  PRIMARY KEY (account_id, id)
);

-- The last try of each event at each endpoint.
CREATE TABLE webhook_deliveries (
  account_id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  version    bigint NOT NULL,
  outcome    text NOT NULL,
  at         timestamptz NOT NULL,
  record     text NOT NULL,
  PRIMARY KEY (account_id, webhook_id, version)
);

-- The accounts that have endpoints, by a hash of their ids. One process at a time delivers those of a bucket.
CREATE TABLE webhook_accounts (
  bucket     integer NOT NULL,
  account_id uuid NOT NULL,
  PRIMARY KEY (bucket, account_id)
);

CREATE TABLE webhook_buckets (
  bucket       integer NOT NULL PRIMARY KEY,
  holder       text NOT NULL,
  leased_until timestamptz NOT NULL
);

-- The secrets of endpoints are derived from it.
ALTER TABLE store_info ADD COLUMN webhook_key text;
