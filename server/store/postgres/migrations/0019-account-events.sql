-- What changed in the accounts, for other systems to follow. A row has all events of one transaction. `events` is empty in an
-- account's oldest row if events up to it were removed.
CREATE TABLE account_events (
  account_id   uuid NOT NULL,
  -- The account's version at the row's last event.
  last_version bigint NOT NULL,
  created_at   timestamptz NOT NULL,
  events       text NOT NULL,
  PRIMARY KEY (account_id, last_version)
);
