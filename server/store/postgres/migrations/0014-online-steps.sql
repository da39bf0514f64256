-- How far the online steps of this database are: what fills columns and builds indexes of large tables while servers serve.
CREATE TABLE online_steps (
  name         text PRIMARY KEY,
  holder       text NOT NULL,
  -- Milliseconds since 1970, as all times here.
  leased_until bigint NOT NULL,
  -- JSON: the account and the id up to which the rows are filled; null at the beginning, and after the last account.
  position     text,
  seen         bigint NOT NULL DEFAULT 0,
  filled       bigint NOT NULL DEFAULT 0,
  done_at      bigint,
  passed_at    bigint
);
