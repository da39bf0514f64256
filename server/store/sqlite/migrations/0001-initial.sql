-- Documents are JSON text. A map's stages and a run's steps stand in a column of their own, behind the record's, so that
-- lists never read them. Whatever belongs to an account has account_id first in its keys, as on PostgreSQL.

-- One row. The epoch changes when the database was restored from a backup.
CREATE TABLE store_info (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  epoch    TEXT NOT NULL
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
  revoked_at TEXT,
  PRIMARY KEY (account_id, token_hash)
) STRICT, WITHOUT ROWID;

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

-- A deleted run keeps its row, without record and steps: its id, number and recording session are never used again.
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
  steps                TEXT,
  PRIMARY KEY (account_id, id),
  UNIQUE (account_id, recording_session_id),
  UNIQUE (account_id, map_id, number)
) STRICT;
CREATE UNIQUE INDEX runs_by_version ON runs (account_id, version);

-- The stage ids that clients made, whether or not the stage still exists.
CREATE TABLE stage_ids (
  account_id TEXT NOT NULL,
  map_id     TEXT NOT NULL,
  id         INTEGER NOT NULL,
  PRIMARY KEY (account_id, map_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE sync_clients (
  account_id TEXT NOT NULL,
  client_id  TEXT NOT NULL,
  version    INTEGER NOT NULL,
  last_seq   INTEGER NOT NULL,
  acked_seq  INTEGER NOT NULL,
  rejections TEXT NOT NULL,
  PRIMARY KEY (account_id, client_id)
) STRICT, WITHOUT ROWID;

-- The answers to the mutations first_seq..last_seq of one push, until the client acknowledges them.
CREATE TABLE push_answers (
  account_id TEXT NOT NULL,
  client_id  TEXT NOT NULL,
  first_seq  INTEGER NOT NULL,
  last_seq   INTEGER NOT NULL,
  answers    TEXT NOT NULL,
  PRIMARY KEY (account_id, client_id, first_seq)
) STRICT;

-- Not of one account: it decides which account a client belongs to.
CREATE TABLE client_owners (
  client_id  TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL,
  device_id  TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotency_keys (
  account_id  TEXT NOT NULL,
  key         TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  status      INTEGER NOT NULL,
  headers     TEXT NOT NULL,
  body        TEXT NOT NULL,
  created_at  TEXT NOT NULL,
  PRIMARY KEY (account_id, key)
) STRICT;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (account_id, created_at);
