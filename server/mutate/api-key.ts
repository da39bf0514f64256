/**
 * Tokens name their account, so that a lookup goes to one shard, and hold 256 random bits. Only their hash is stored.
 *
 *   gk_ + base64url( 16 bytes of the account's UUID + 32 random bytes )
 */
import { parse, stringify } from 'uuid';
import { sha256 } from './fingerprint.ts';
import type { World } from './world.ts';

export type TokenPrefix = 'gk_' | 'gd_';

export function makeToken(prefix: TokenPrefix, accountId: string, world: World): string {
  return prefix + Buffer.concat([parse(accountId), world.randomBytes(secretBytes)]).toString('base64url');
}

/** Where to look a token up; undefined when it cannot be one of ours. */
export function tokenKey(token: string): { accountId: string; tokenHash: string } | undefined {
  if (!/^g[kd]_[A-Za-z0-9_-]{64}$/.test(token)) return undefined;
  const bytes = Buffer.from(token.slice(3), 'base64url');
  const accountId = uuidText(bytes.subarray(0, accountBytes));
  return accountId === undefined ? undefined : { accountId, tokenHash: sha256(token) };
}

const accountBytes = 16;
const secretBytes = 32;

/** Random bytes in a forged token need not be a UUID. */
function uuidText(bytes: Uint8Array): string | undefined {
  try {
    return stringify(bytes);
  } catch {
    return undefined;
  }
}
