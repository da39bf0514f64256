-- Nobody noted when these pushed last: their year begins now.
UPDATE sync_clients SET seen_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE seen_at IS NULL;
