-- The photos that runs refer to, also while a photo is missing. Written and removed with the run.
CREATE TABLE photo_references (
  account_id    uuid NOT NULL,
  photo_id      text NOT NULL,
  run_id        bigint NOT NULL,
  -- When the server took the run in.
  referenced_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, photo_id, run_id)
);

CREATE INDEX photo_references_of_runs ON photo_references (account_id, run_id);

-- When a sweep first found that no run refers to the photo.
ALTER TABLE photos ADD COLUMN unreferenced_since timestamptz;

CREATE INDEX photos_unreferenced ON photos (account_id, unreferenced_since) WHERE stored_at IS NOT NULL;
-- The sum of an account's bytes is read from this index: the rows of the table have thumbnails.
CREATE INDEX photos_bytes ON photos (account_id, bytes);
