-- The key pairs to which devices seal requests that another device carries. Both keys are base64url.
CREATE TABLE server_keys (
  key_id      integer PRIMARY KEY,
  kem         text NOT NULL,
  private_key text NOT NULL,
  public_key  text NOT NULL,
  created_at  timestamptz NOT NULL
);
