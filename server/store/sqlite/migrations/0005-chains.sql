-- The hash chain over a client's mutations up to last_seq. What was pushed before has none: it starts here.
ALTER TABLE sync_clients ADD COLUMN chain TEXT NOT NULL DEFAULT '';
