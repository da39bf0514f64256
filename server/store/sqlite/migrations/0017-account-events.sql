-- What changed in the accounts, for other systems to follow. A row has all events of one transaction. `events` is empty in an
-- account's oldest row if events up to it were removed.
CREATE TABLE account_events (
  account_id   TEXT NOT NULL,
  -- The account's version at the row's last event.
  last_version INTEGER NOT NULL,
  created_at   TEXT NOT NULL,
  events       TEXT NOT NULL,
  PRIMARY KEY (account_id, last_version)
) STRICT;
