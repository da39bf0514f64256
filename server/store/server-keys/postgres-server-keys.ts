/** Reads and writes the server's key pairs, which are on each node of Citus. */
import type { ServerKeyRow } from './server-key-row.ts';
import type { Connections } from '../postgres/connections.ts';
import { statement } from '../postgres/statement.ts';

const selectServerKeysStatement = statement({
  text: 'SELECT key_id, kem, private_key, public_key, created_at FROM server_keys ORDER BY created_at DESC, key_id DESC',
});

export function readServerKeys(connections: Connections): Promise<ServerKeyRow[]> {
  return connections.query<ServerKeyRow>(selectServerKeysStatement);
}

const insertServerKeyStatement = statement({
  text: `
    INSERT INTO server_keys (key_id, kem, private_key, public_key, created_at) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (key_id) DO NOTHING RETURNING 1`,
});

export async function insertServerKey(connections: Connections, key: ServerKeyRow): Promise<boolean> {
  const { key_id, kem, private_key, public_key, created_at } = key;
  const rows = await connections.query(insertServerKeyStatement, [key_id, kem, private_key, public_key, created_at]);
  return rows.length > 0;
}

const deleteServerKeyStatement = statement({ text: 'DELETE FROM server_keys WHERE key_id = $1' });

export async function deleteServerKey(connections: Connections, keyId: number): Promise<void> {
  await connections.query(deleteServerKeyStatement, [keyId]);
}
