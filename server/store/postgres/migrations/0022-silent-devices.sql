-- When the last event of the device's silence was written. It is told once a silence.
ALTER TABLE devices ADD COLUMN silent_event_at timestamptz;
-- Silences from before this version have no event.
UPDATE devices SET silent_event_at = date_trunc('milliseconds', now())
 WHERE coalesce((SELECT max(last_used_at) FROM tokens
                  WHERE tokens.account_id = devices.account_id AND tokens.device_id = devices.id), paired_at)
       <= now() - interval '7 days';
