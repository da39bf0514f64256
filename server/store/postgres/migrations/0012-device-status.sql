-- The latest report of each device. A report is no record: it has no version, and no device pulls it.
CREATE TABLE device_status (
  account_id       uuid NOT NULL,
  device_id        uuid NOT NULL,
  written_at       timestamptz NOT NULL,
  reported_at      timestamptz NOT NULL,
  pending          bigint NOT NULL,
  oldest_unsent_at timestamptz,
  attention        bigint NOT NULL,
  battery          double precision,
  storage_free     double precision,
  second_copy      text,
  app_version      text,
  platform         text,
  protocol         bigint NOT NULL,
  PRIMARY KEY (account_id, device_id)
);
