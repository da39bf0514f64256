/** The server's key pairs, to which devices seal requests. All server processes of one database share them. */
import type { KemName } from '../../../shared/relay/key-list.ts';

export interface ServerKeyRow {
  /** A number from 0 to 255, since each sealed request names its key in one byte. */
  key_id: number;
  kem: KemName;
  /** base64url. */
  private_key: string;
  /** base64url. */
  public_key: string;
  created_at: string;
}

export interface ServerKeyStore {
  /** Lists all keys, newest first. */
  serverKeys(): Promise<ServerKeyRow[]>;
  /** Returns false if a key with this id exists. */
  addServerKey(key: ServerKeyRow): Promise<boolean>;
  removeServerKey(keyId: number): Promise<void>;
}
