-- How many requests somebody sent in this minute: the table of RateLimiterPostgres. Not of a tenant: its key is a token's
-- hash or an address, so on Citus it is sharded by that. Unlogged: counting syncs nothing, and a crash may empty it.
-- Rows change all the time, so pages keep room for the new version beside the old one.
CREATE UNLOGGED TABLE rate_limits (
  key    text PRIMARY KEY,
  points integer NOT NULL,
  expire bigint
) WITH (fillfactor = 50);
