/**
 * A token contains 256 random bits and the id of its account, so that a lookup needs one shard. Only the token's hash
 * is stored.
 *
 *   gk_ + base64url( 16 bytes of the account's UUID + 32 random bytes )
 */
import { parse, stringify } from 'uuid';
import type { Scope } from '../../shared/schema/account.ts';
import type { Creator } from '../../shared/schema/auth.ts';
import type { NewTokenRow, TokenRowKey } from '../store/credentials/credentials.ts';
import { sha256 } from '../core/hash.ts';
import { isoNow, timeOrderedUuid, type World } from '../core/world.ts';

type TokenPrefix = 'gk_' | 'gd_';

interface TokenFields {
  accountId: string;
  name: string;
  scopes: Scope[];
  /** The device that gets the token; null for an API key. */
  deviceId: string | null;
  createdBy?: Creator;
}

/** Returns a new token and its row. The row has only the token's hash, so nobody can read the token again later. */
export function newToken(fields: TokenFields, world: World): { token: string; row: NewTokenRow } {
  const { accountId, name, scopes, deviceId, createdBy = null } = fields;
  const token = makeTokenText(deviceId === null ? 'gk_' : 'gd_', accountId, world);
  return {
    token,
    row: {
      account_id: accountId,
      token_hash: sha256(token),
      id: timeOrderedUuid(world),
      kind: deviceId === null ? 'key' : 'device',
      name,
      scopes,
      device_id: deviceId,
      last_four: token.slice(-4),
      created_at: isoNow(world),
      created_by: createdBy,
      revoked_at: null,
    },
  };
}

export function makeTokenText(prefix: TokenPrefix, accountId: string, world: World): string {
  return prefix + Buffer.concat([parse(accountId), world.randomBytes(secretBytes)]).toString('base64url');
}

/** Returns the account id and the hash that identify the token's row; undefined if the text cannot be a token. */
export function parseToken(token: string): TokenRowKey | undefined {
  if (!/^g[kd]_[A-Za-z0-9_-]{64}$/.test(token)) return undefined;
  const bytes = Buffer.from(token.slice(3), 'base64url');
  const accountId = formatUuid(bytes.subarray(0, accountIdBytes));
  return accountId === undefined ? undefined : { accountId, tokenHash: sha256(token) };
}

const accountIdBytes = 16;
const secretBytes = 32;

/** Returns undefined if the bytes are not a UUID, which happens with a forged token. */
function formatUuid(bytes: Uint8Array): string | undefined {
  try {
    return stringify(bytes);
  } catch {
    return undefined;
  }
}
