-- JSONB sorts the fields of a document; JSON keeps the text that was written, so that what is read again has the bytes of
-- the first answer. Nothing is searched for inside of them.
ALTER TABLE maps
  ALTER COLUMN record TYPE json,
  ALTER COLUMN stages TYPE json;
ALTER TABLE runs
  ALTER COLUMN record    TYPE json,
  ALTER COLUMN map_then  TYPE json,
  ALTER COLUMN stage_ids TYPE json,
  ALTER COLUMN steps     TYPE json;
