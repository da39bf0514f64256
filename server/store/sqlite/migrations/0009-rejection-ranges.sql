-- Rejections that follow on each other with the same error stand in one row, seq..last_seq.
ALTER TABLE rejections ADD COLUMN last_seq INTEGER NOT NULL DEFAULT 0;
UPDATE rejections SET last_seq = seq;
