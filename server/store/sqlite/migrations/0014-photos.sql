-- Photos and their uploads. The bytes are in the photo storage, where the key is the account and the photo's id.
-- `received_bytes` is the offset of the upload, and `claim` names the request that may move it until `claimed_until`.
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
  claimed_until  TEXT,
  PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX photos_unfinished ON photos (account_id, received_at) WHERE stored_at IS NULL;
