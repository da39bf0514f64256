-- Photos and their uploads. The bytes are in the photo storage, where the key is the account and the photo's id.
-- `received_bytes` is the offset of the upload, and `claim` names the request that may move it until `claimed_until`.
CREATE TABLE photos (
  account_id     uuid NOT NULL,
  id             text NOT NULL,
  content_type   text NOT NULL,
  bytes          bigint NOT NULL,
  width          bigint NOT NULL,
  height         bigint NOT NULL,
  thumbnail      text,
  received_bytes bigint NOT NULL,
  received_at    timestamptz NOT NULL,
  stored_at      timestamptz,
  claim          text,
  claimed_until  timestamptz,
  PRIMARY KEY (account_id, id)
);

CREATE INDEX photos_unfinished ON photos (account_id, received_at) WHERE stored_at IS NULL;
