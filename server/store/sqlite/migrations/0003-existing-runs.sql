-- The runs of a map that exist, in the order of their numbers: a list does not pass by the deleted ones.
CREATE UNIQUE INDEX runs_in_list_order ON runs (account_id, map_id, number) WHERE record IS NOT NULL;
