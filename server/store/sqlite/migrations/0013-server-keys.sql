-- The key pairs to which devices seal requests that another device carries. Both keys are base64url.
CREATE TABLE server_keys (
  key_id      INTEGER NOT NULL PRIMARY KEY,
  kem         TEXT NOT NULL,
  private_key TEXT NOT NULL,
  public_key  TEXT NOT NULL,
  created_at  TEXT NOT NULL
) STRICT;
