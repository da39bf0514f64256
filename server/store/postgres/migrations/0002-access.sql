-- Devices, and what pairing needs. seats_limited: the operator set the seats, they limit the phones of a team plan.
-- revocations grows when a token of the account is revoked.
ALTER TABLE accounts
  ADD COLUMN seats_limited boolean NOT NULL DEFAULT false,
  ADD COLUMN revocations   bigint NOT NULL DEFAULT 0;
UPDATE accounts SET seats_limited = true WHERE additional_seats > 0;

ALTER TABLE tokens ADD COLUMN last_used_at timestamptz;
CREATE INDEX tokens_in_list_order ON tokens (account_id, kind, id);
CREATE INDEX tokens_by_device ON tokens (account_id, device_id);

CREATE TABLE devices (
  account_id uuid NOT NULL,
  id         uuid NOT NULL,
  -- Of the time of the first pairing: what lists are ordered by.
  list_id    uuid NOT NULL,
  name       text NOT NULL,
  kind       text NOT NULL,
  paired_at  timestamptz NOT NULL,
  revoked_at timestamptz,
  code_hash  text NOT NULL,
  PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX devices_in_list_order ON devices (account_id, list_id);

-- Sharded by code_hash: whoever pairs knows the code and not yet the account.
CREATE TABLE pairing_codes (
  code_hash   text PRIMARY KEY,
  account_id  uuid NOT NULL,
  device_kind text NOT NULL,
  expires_at  timestamptz NOT NULL,
  -- The device that claimed it: for any other it is used up.
  device_id   uuid
);
CREATE INDEX pairing_codes_by_age ON pairing_codes (expires_at);

-- Sharded by subject: an address, or the first half of a code as it was guessed. The times are milliseconds since 1970.
CREATE TABLE pairing_failures (
  subject    text PRIMARY KEY,
  failed_at  bigint[] NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX pairing_failures_by_age ON pairing_failures (expires_at);
