-- Ready for Citus, sharded by account: account_id is the first column of every key of a tenant's table, ids are made by the
-- application, and there are no triggers, sequences or foreign keys. Documents are JSONB. Remembered answers are
-- JSON in text: they come back verbatim, and may quote a device's text that JSONB refuses, such as \u0000. A map's stages and a run's steps stand in a column of their own, so that lists
-- never fetch them.

-- One row, not of a tenant. The epoch changes when the database was restored from a backup.
CREATE TABLE store_info (
  only_row boolean PRIMARY KEY CHECK (only_row),
  epoch    uuid NOT NULL
);

CREATE TABLE accounts (
  account_id       uuid PRIMARY KEY,
  name             text NOT NULL,
  plan             text NOT NULL,
  additional_seats integer NOT NULL,
  created_at       timestamptz NOT NULL,
  version          bigint NOT NULL DEFAULT 0,
  next_id          bigint NOT NULL DEFAULT 1,
  live_maps        integer NOT NULL DEFAULT 0
);

CREATE TABLE tokens (
  account_id uuid NOT NULL,
  token_hash text NOT NULL,
  id         uuid NOT NULL,
  kind       text NOT NULL,
  name       text NOT NULL,
  scopes     jsonb NOT NULL,
  device_id  uuid,
  last_four  text NOT NULL,
  created_at timestamptz NOT NULL,
  revoked_at timestamptz,
  PRIMARY KEY (account_id, token_hash)
);

CREATE TABLE maps (
  account_id      uuid NOT NULL,
  id              uuid NOT NULL,
  version         bigint NOT NULL,
  -- The version of the map's first write: what lists are ordered by.
  created_version bigint NOT NULL,
  deleted         boolean NOT NULL,
  archived        boolean NOT NULL,
  state           text NOT NULL,
  industry        text NOT NULL,
  record          jsonb NOT NULL,
  stages          jsonb NOT NULL,
  PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX maps_by_version ON maps (account_id, version);
CREATE UNIQUE INDEX maps_in_list_order ON maps (account_id, deleted, created_version);

-- A deleted run keeps its row, without record and steps: its id, number and recording session are never used again.
CREATE TABLE runs (
  account_id           uuid NOT NULL,
  id                   bigint NOT NULL,
  map_id               uuid NOT NULL,
  number               bigint NOT NULL,
  version              bigint NOT NULL,
  recording_session_id text NOT NULL,
  fingerprint          text NOT NULL,
  made_map             boolean NOT NULL,
  created_at           timestamptz NOT NULL,
  record               jsonb,
  map_then             jsonb NOT NULL,
  stage_ids            jsonb NOT NULL,
  steps                jsonb,
  PRIMARY KEY (account_id, id),
  UNIQUE (account_id, recording_session_id),
  UNIQUE (account_id, map_id, number)
);
CREATE UNIQUE INDEX runs_by_version ON runs (account_id, version);

-- The stage ids that clients made, whether or not the stage still exists.
CREATE TABLE stage_ids (
  account_id uuid NOT NULL,
  map_id     uuid NOT NULL,
  id         bigint NOT NULL,
  PRIMARY KEY (account_id, map_id, id)
);

CREATE TABLE sync_clients (
  account_id uuid NOT NULL,
  client_id  uuid NOT NULL,
  version    bigint NOT NULL,
  last_seq   bigint NOT NULL,
  acked_seq  bigint NOT NULL,
  rejections text NOT NULL,
  PRIMARY KEY (account_id, client_id)
);

-- The answers to the mutations first_seq..last_seq of one push, until the client acknowledges them.
CREATE TABLE push_answers (
  account_id uuid NOT NULL,
  client_id  uuid NOT NULL,
  first_seq  bigint NOT NULL,
  last_seq   bigint NOT NULL,
  answers    text NOT NULL,
  PRIMARY KEY (account_id, client_id, first_seq)
);

-- Sharded by client_id: it decides which account a client belongs to, so no account can be its key.
CREATE TABLE client_owners (
  client_id  uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  device_id  uuid
);

CREATE TABLE idempotency_keys (
  account_id  uuid NOT NULL,
  key         text NOT NULL,
  fingerprint text NOT NULL,
  status      integer NOT NULL,
  headers     text NOT NULL,
  body        text NOT NULL,
  created_at  timestamptz NOT NULL,
  PRIMARY KEY (account_id, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (account_id, created_at);
