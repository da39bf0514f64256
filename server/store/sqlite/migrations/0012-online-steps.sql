-- How far the online steps of this database are: what fills columns of large tables while the server serves.
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
