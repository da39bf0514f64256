/** Finds the caller of a request and checks the token's scopes. */
import { timingSafeEqual } from 'node:crypto';
import type { Scope } from '../../shared/schema/account.ts';
import type { Creator } from '../../shared/schema/auth.ts';
import { tokenKey } from '../auth/token.ts';
import { sha256 } from '../core/hash.ts';
import { tokenRefused, type Caller } from '../core/caller.ts';
import type { TokenUseRecorder } from '../auth/token-use.ts';
import type { Store } from '../store/store.ts';
import type { RefusedReply } from './route-reply.ts';

/** Returns the device or key that a new key or code records as its maker. */
export function creatorOf({ deviceId, tokenId }: Caller): Creator {
  return deviceId === null ? { kind: 'key', id: tokenId } : { kind: 'device', id: deviceId };
}

export const nobody: Caller = { accountId: '', deviceId: null, scopes: [], tokenHash: '', tokenId: '' };

type Authenticated = { ok: true; caller: Caller } | RefusedReply;

export interface Authenticator {
  store: Store;
  /** The operator's token; without it the operator routes are off. */
  adminToken: string | undefined;
  tokenUse: TokenUseRecorder;
}

/** Refuses with `unauthorized` if there is no valid token, and with `forbidden` if the token lacks the scope. */
export async function authenticate(
  { store, adminToken, tokenUse }: Authenticator,
  access: AllowedCallers,
  authorization: string | undefined,
): Promise<Authenticated> {
  if (access === 'public') return { ok: true, caller: nobody };
  const token = bearerToken(authorization);
  if (token === undefined) return unauthorized('Send the header Authorization: Bearer <token>.');
  if (access === 'operator') {
    const isOperator = adminToken !== undefined && sameSecret(token, adminToken);
    return isOperator ? { ok: true, caller: nobody } : unauthorized("This is not the operator's token.");
  }
  const key = tokenKey(token);
  const row = key && (await store.token(key));
  if (!row || row.revoked_at !== null) return tokenRefused;
  tokenUse.record(row);
  if (!access.some((scope) => row.scopes.includes(scope))) return lacksScope(access);
  const { account_id: accountId, device_id: deviceId, scopes, token_hash: tokenHash, id: tokenId } = row;
  return { ok: true, caller: { accountId, deviceId, scopes, tokenHash, tokenId } };
}

export function bearerToken(authorization: string | undefined): string | undefined {
  return /^bearer +([^ ]+) *$/i.exec(authorization ?? '')?.[1];
}

/** Compares in constant time, so the duration does not reveal how much of a guess was right. */
function sameSecret(given: string, secret: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(secret)));
}

function unauthorized(detail: string): RefusedReply {
  return { ok: false, error: { code: 'unauthorized', detail } };
}

function lacksScope(scopes: Scope[]): RefusedReply {
  const detail = `This needs a token with the scope ${scopes.join(' or ')}.`;
  return { ok: false, error: { code: 'forbidden', detail, members: { scopes } } };
}

/** `public` allows anyone, `operator` the operator alone; a list allows each token with at least one of its scopes. */
export type AllowedCallers = 'public' | 'operator' | Caller['scopes'];
