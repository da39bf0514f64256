-- When the last event of the device's silence was written. It is told once a silence.
ALTER TABLE devices ADD COLUMN silent_event_at timestamptz;
