-- Made by `npm run generate` from server/store/sqlite/migrations: the embedded store's tables as they are now.
-- PostgreSQL has the same tables, and `rate_limits` (server/store/postgres/migrations). `rejections` has a row for a range of
-- numbers, `seq` to `last_seq`. `stage_ids` has the device-made ids that stages got.

CREATE TABLE account_events (
  account_id   TEXT NOT NULL,
  -- The account's version at the row's last event.
  last_version INTEGER NOT NULL,
  created_at   TEXT NOT NULL,
  events       TEXT NOT NULL,
  PRIMARY KEY (account_id, last_version)
) STRICT;

CREATE TABLE accounts (
  account_id       TEXT NOT NULL PRIMARY KEY,
  name             TEXT NOT NULL,
  plan             TEXT NOT NULL,
  additional_seats INTEGER NOT NULL,
  created_at       TEXT NOT NULL,
  version          INTEGER NOT NULL DEFAULT 0,
  next_id          INTEGER NOT NULL DEFAULT 1,
  live_maps        INTEGER NOT NULL DEFAULT 0
, seats_limited INTEGER NOT NULL DEFAULT 0, revocations INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0, keys_made INTEGER NOT NULL DEFAULT 0, key_bytes_made INTEGER NOT NULL DEFAULT 0, was_restored INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;

CREATE TABLE applied_mutations (
  account_id TEXT NOT NULL,
  digest     TEXT NOT NULL,
  client_id  TEXT NOT NULL,
  -- The account's version after the mutation. The oldest rows are deleted by it.
  version    INTEGER NOT NULL,
  result     TEXT NOT NULL,
  PRIMARY KEY (account_id, digest)
) STRICT, WITHOUT ROWID;

CREATE INDEX applied_mutations_in_order ON applied_mutations (account_id, version);

CREATE TABLE billing (
  account_id TEXT NOT NULL PRIMARY KEY,
  record     TEXT NOT NULL
) STRICT;

CREATE TABLE billing_customers (
  customer_id TEXT NOT NULL PRIMARY KEY,
  account_id  TEXT NOT NULL
) STRICT;

CREATE TABLE client_owners (
  client_id  TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL,
  device_id  TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE device_status (
  account_id       TEXT NOT NULL,
  device_id        TEXT NOT NULL,
  written_at       TEXT NOT NULL,
  reported_at      TEXT NOT NULL,
  pending          INTEGER NOT NULL,
  oldest_unsent_at TEXT,
  attention        INTEGER NOT NULL,
  battery          REAL,
  storage_free     REAL,
  second_copy      TEXT,
  app_version      TEXT,
  platform         TEXT,
  protocol         INTEGER NOT NULL,
  PRIMARY KEY (account_id, device_id)
) WITHOUT ROWID;

CREATE TABLE devices (
  account_id TEXT NOT NULL,
  id         TEXT NOT NULL,
  -- Of the time of the first pairing: what lists are ordered by.
  list_id    TEXT NOT NULL,
  name       TEXT NOT NULL,
  kind       TEXT NOT NULL,
  paired_at  TEXT NOT NULL,
  revoked_at TEXT,
  code_hash  TEXT NOT NULL, silent_event_at TEXT,
  PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX devices_in_list_order ON devices (account_id, list_id);

CREATE TABLE idempotency_keys (
  account_id  TEXT NOT NULL,
  key         TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  status      INTEGER NOT NULL,
  headers     TEXT NOT NULL,
  body        TEXT NOT NULL,
  created_at  TEXT NOT NULL, keys_before INTEGER NOT NULL DEFAULT 0, bytes_before INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, key)
) STRICT;

CREATE INDEX idempotency_keys_by_age ON idempotency_keys (account_id, created_at);

CREATE INDEX idempotency_keys_in_order ON idempotency_keys (account_id, keys_before);

CREATE TABLE maps (
  account_id      TEXT NOT NULL,
  id              TEXT NOT NULL,
  version         INTEGER NOT NULL,
  -- The version of the map's first write: what lists are ordered by.
  created_version INTEGER NOT NULL,
  deleted         INTEGER NOT NULL,
  archived        INTEGER NOT NULL,
  state           TEXT NOT NULL,
  industry        TEXT NOT NULL,
  record          TEXT NOT NULL,
  stages          TEXT NOT NULL,
  PRIMARY KEY (account_id, id)
) STRICT;

CREATE UNIQUE INDEX maps_by_version ON maps (account_id, version);

CREATE UNIQUE INDEX maps_in_list_order ON maps (account_id, deleted, created_version);

CREATE TABLE online_steps (
  name         TEXT NOT NULL PRIMARY KEY,
  holder       TEXT NOT NULL,
  -- Milliseconds since 1970, as all times here.
  leased_until INTEGER NOT NULL,
  -- JSON: the account and the id up to which the rows are filled; null at the beginning, and after the last account.
  position     TEXT,
  seen         INTEGER NOT NULL DEFAULT 0,
  filled       INTEGER NOT NULL DEFAULT 0,
  done_at      INTEGER,
  passed_at    INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE pairing_codes (
  code_hash   TEXT NOT NULL PRIMARY KEY,
  account_id  TEXT NOT NULL,
  device_kind TEXT NOT NULL,
  expires_at  TEXT NOT NULL,
  -- The device that claimed it: for any other it is used up.
  device_id   TEXT
, created_by TEXT) STRICT, WITHOUT ROWID;

CREATE INDEX pairing_codes_by_age ON pairing_codes (expires_at);

CREATE TABLE pairing_failures (
  subject    TEXT NOT NULL PRIMARY KEY,
  failed_at  TEXT NOT NULL,
  expires_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX pairing_failures_by_age ON pairing_failures (expires_at);

CREATE TABLE photo_references (
  account_id    TEXT NOT NULL,
  photo_id      TEXT NOT NULL,
  run_id        INTEGER NOT NULL,
  -- When the server took the run in.
  referenced_at TEXT NOT NULL,
  PRIMARY KEY (account_id, photo_id, run_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX photo_references_of_runs ON photo_references (account_id, run_id);

CREATE TABLE photos (
  account_id     TEXT NOT NULL,
  id             TEXT NOT NULL,
  content_type   TEXT NOT NULL,
  bytes          INTEGER NOT NULL,
  width          INTEGER NOT NULL,
  height         INTEGER NOT NULL,
  thumbnail      TEXT,
  received_bytes INTEGER NOT NULL,
  received_at    TEXT NOT NULL,
  stored_at      TEXT,
  claim          TEXT,
  claimed_until  TEXT, unreferenced_since TEXT,
  PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX photos_bytes ON photos (account_id, bytes);

CREATE INDEX photos_unfinished ON photos (account_id, received_at) WHERE stored_at IS NULL;

CREATE INDEX photos_unreferenced ON photos (account_id, unreferenced_since) WHERE stored_at IS NOT NULL;

CREATE TABLE push_answers (
  account_id TEXT NOT NULL,
  client_id  TEXT NOT NULL,
  first_seq  INTEGER NOT NULL,
  last_seq   INTEGER NOT NULL,
  answers    TEXT NOT NULL,
  PRIMARY KEY (account_id, client_id, first_seq)
) STRICT;

CREATE TABLE rejections (
  account_id TEXT NOT NULL,
  client_id  TEXT NOT NULL,
  seq        INTEGER NOT NULL,
  error      TEXT NOT NULL, last_seq INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, client_id, seq)
) STRICT;

CREATE TABLE runs (
  account_id           TEXT NOT NULL,
  id                   INTEGER NOT NULL,
  map_id               TEXT NOT NULL,
  number               INTEGER NOT NULL,
  version              INTEGER NOT NULL,
  recording_session_id TEXT NOT NULL,
  fingerprint          TEXT NOT NULL,
  made_map             INTEGER NOT NULL,
  created_at           TEXT NOT NULL,
  record               TEXT,
  map_then             TEXT NOT NULL,
  stage_ids            TEXT NOT NULL,
  steps                TEXT, bytes INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, id),
  UNIQUE (account_id, recording_session_id),
  UNIQUE (account_id, map_id, number)
) STRICT;

CREATE UNIQUE INDEX runs_by_creation ON runs (account_id, created_at, id) WHERE record IS NOT NULL;

CREATE UNIQUE INDEX runs_by_version ON runs (account_id, version);

CREATE UNIQUE INDEX runs_in_list_order ON runs (account_id, map_id, number) WHERE record IS NOT NULL;

CREATE TABLE server_keys (
  key_id      INTEGER NOT NULL PRIMARY KEY,
  kem         TEXT NOT NULL,
  private_key TEXT NOT NULL,
  public_key  TEXT NOT NULL,
  created_at  TEXT NOT NULL
) STRICT;

CREATE TABLE stage_ids (
  account_id TEXT NOT NULL,
  map_id     TEXT NOT NULL,
  id         INTEGER NOT NULL,
  PRIMARY KEY (account_id, map_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE store_info (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  epoch    TEXT NOT NULL
, webhook_key TEXT) STRICT;

CREATE TABLE sync_clients (
  account_id TEXT NOT NULL,
  client_id  TEXT NOT NULL,
  version    INTEGER NOT NULL,
  last_seq   INTEGER NOT NULL,
  acked_seq  INTEGER NOT NULL, chain TEXT NOT NULL DEFAULT '', device_id TEXT, seen_at TEXT,
  PRIMARY KEY (account_id, client_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE tokens (
  account_id TEXT NOT NULL,
  token_hash TEXT NOT NULL,
  id         TEXT NOT NULL,
  kind       TEXT NOT NULL,
  name       TEXT NOT NULL,
  scopes     TEXT NOT NULL,
  device_id  TEXT,
  last_four  TEXT NOT NULL,
  created_at TEXT NOT NULL,
  revoked_at TEXT, last_used_at TEXT, created_by TEXT,
  PRIMARY KEY (account_id, token_hash)
) STRICT, WITHOUT ROWID;

CREATE INDEX tokens_by_creator ON tokens (account_id, created_by);

CREATE INDEX tokens_by_device ON tokens (account_id, device_id);

CREATE INDEX tokens_in_list_order ON tokens (account_id, kind, id);

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

CREATE TABLE webhook_deliveries (
  account_id TEXT NOT NULL,
  webhook_id TEXT NOT NULL,
  version    INTEGER NOT NULL,
  outcome    TEXT NOT NULL,
  at         TEXT NOT NULL,
  record     TEXT NOT NULL,
  PRIMARY KEY (account_id, webhook_id, version)
) STRICT;

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
