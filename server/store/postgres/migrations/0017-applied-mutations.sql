-- From a restore on, an account stores the mutations that changed it, except recordings, which their sessions identify. Copies
-- of a device send their mutations again after a restore, each under another client id.
ALTER TABLE accounts ADD COLUMN was_restored boolean NOT NULL DEFAULT false;

CREATE TABLE applied_mutations (
  account_id uuid NOT NULL,
  digest     text NOT NULL,
  client_id  uuid NOT NULL,
  -- The account's version after the mutation. The oldest rows are deleted by it.
  version    bigint NOT NULL,
  result     text NOT NULL,
  PRIMARY KEY (account_id, digest)
);

CREATE INDEX applied_mutations_in_order ON applied_mutations (account_id, version);
