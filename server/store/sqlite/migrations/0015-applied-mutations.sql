-- From a restore on, an account stores the mutations that changed it, except recordings, which their sessions identify. Copies
-- of a device send their mutations again after a restore, each under another client id.
ALTER TABLE accounts ADD COLUMN was_restored INTEGER NOT NULL DEFAULT 0;

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
