-- Nobody noted when these pushed last: their year begins now.
UPDATE sync_clients SET seen_at = date_trunc('milliseconds', now()) WHERE seen_at IS NULL;
