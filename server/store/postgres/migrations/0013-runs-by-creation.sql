-- The runs that exist, in the order of their arrival: the first pull of a device with a scope reads only the newest.
CREATE UNIQUE INDEX runs_by_creation ON runs (account_id, created_at, id) WHERE record IS NOT NULL;
