-- The latest report of each device. A report is no record: it has no version, and no device pulls it.
CREATE TABLE device_status (
  account_id       TEXT NOT NULL,
  device_id        TEXT NOT NULL,
  written_at       TEXT NOT NULL,
  reported_at      TEXT NOT NULL,
  pending          INTEGER NOT NULL,
  oldest_unsent_at TEXT,
  attention        INTEGER NOT NULL,
  battery          REAL,
  storage_free     REAL,
  second_copy      TEXT,
  app_version      TEXT,
  platform         TEXT,
  protocol         INTEGER NOT NULL,
  PRIMARY KEY (account_id, device_id)
) WITHOUT ROWID;
