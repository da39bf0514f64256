-- The runs that exist, in the order of their arrival: the first pull of a device with a scope reads only the newest.
-- Where there are runs, an online step builds the index (steps.ts), since building it here would keep writers out.
DO $$ BEGIN IF NOT EXISTS (SELECT 1 FROM runs) THEN CREATE UNIQUE INDEX runs_by_creation ON runs (account_id, created_at, id) WHERE record IS NOT NULL; END IF; END $$;
