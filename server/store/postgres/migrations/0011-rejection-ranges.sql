-- Rejections that follow on each other with the same error stand in one row, seq..last_seq.
ALTER TABLE rejections ADD COLUMN last_seq bigint;
UPDATE rejections SET last_seq = seq;
ALTER TABLE rejections ALTER COLUMN last_seq SET NOT NULL;
