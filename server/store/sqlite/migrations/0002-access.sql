-- Devices, and what pairing needs. seats_limited: the operator set the seats, they limit the phones of a team plan.
-- revocations grows when a token of the account is revoked.
ALTER TABLE accounts ADD COLUMN seats_limited INTEGER NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN revocations INTEGER NOT NULL DEFAULT 0;
UPDATE accounts SET seats_limited = 1 WHERE additional_seats > 0;

ALTER TABLE tokens ADD COLUMN last_used_at TEXT;
CREATE INDEX tokens_in_list_order ON tokens (account_id, kind, id);
CREATE INDEX tokens_by_device ON tokens (account_id, device_id);

CREATE TABLE devices (
  account_id TEXT NOT NULL,
  id         TEXT NOT NULL,
  -- Of the time of the first pairing: what lists are ordered by.
  list_id    TEXT NOT NULL,
  name       TEXT NOT NULL,
  kind       TEXT NOT NULL,
  paired_at  TEXT NOT NULL,
  revoked_at TEXT,
  code_hash  TEXT NOT NULL,
  PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX devices_in_list_order ON devices (account_id, list_id);

-- Not of one account: whoever pairs knows the code and not yet the account.
CREATE TABLE pairing_codes (
  code_hash   TEXT NOT NULL PRIMARY KEY,
  account_id  TEXT NOT NULL,
  device_kind TEXT NOT NULL,
  expires_at  TEXT NOT NULL,
  -- The device that claimed it: for any other it is used up.
  device_id   TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX pairing_codes_by_age ON pairing_codes (expires_at);

-- Of an address, or of the first half of a code as it was guessed. The times are JSON, milliseconds since 1970.
CREATE TABLE pairing_failures (
  subject    TEXT NOT NULL PRIMARY KEY,
  failed_at  TEXT NOT NULL,
  expires_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX pairing_failures_by_age ON pairing_failures (expires_at);
