-- The device or key that made a key or a code, { kind, id }; null for the operator and for what was made before.
ALTER TABLE tokens ADD COLUMN created_by jsonb;
CREATE INDEX tokens_by_creator ON tokens (account_id, created_by);
ALTER TABLE pairing_codes ADD COLUMN created_by jsonb;
