/** Reads and writes the server's key pairs. */
import type { ServerKeyRow } from './server-key-row.ts';
import type { Database } from '../sqlite/database.ts';

export function readServerKeys(database: Database): ServerKeyRow[] {
  const sql = `
    SELECT key_id, kem, private_key, public_key, created_at FROM server_keys ORDER BY created_at DESC, key_id DESC`;
  return database.all<ServerKeyRow>(sql).map((row) => ({ ...row }));
}

export function insertServerKey(database: Database, key: ServerKeyRow): boolean {
  const row = database.get(
    `INSERT INTO server_keys (key_id, kem, private_key, public_key, created_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING RETURNING 1`,
    key.key_id,
    key.kem,
    key.private_key,
    key.public_key,
    key.created_at,
  );
  return row !== undefined;
}

export function deleteServerKey(database: Database, keyId: number): void {
  database.run('DELETE FROM server_keys WHERE key_id = ?', keyId);
}
