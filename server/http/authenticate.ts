/** Finds the caller of a request by its token and checks the scopes of the token. */
import { timingSafeEqual } from 'node:crypto';
import type { Scope } from '../../shared/schema/account.ts';
import type { Creator } from '../../shared/schema/auth.ts';
import { parseToken } from '../auth/token.ts';
import { sha256 } from '../core/hash.ts';
import { invalidTokenRefusal, operatorActor, type Caller } from '../core/caller.ts';
import type { TokenUseRecorder } from '../auth/token-use.ts';
import type { Store } from '../store/store.ts';
import type { RefusedReply } from './route-reply.ts';

/**
 * Returns the caller's device, or the caller's API key if the caller is no device. The keys and pairing codes that the
 * caller makes have this device or key as their creator.
 */
export function callerAsCreator({ deviceId, tokenId }: Pick<Caller, 'deviceId' | 'tokenId'>): Creator {
  return deviceId === null ? { kind: 'key', id: tokenId } : { kind: 'device', id: deviceId };
}

/** The caller of a public route. */
export const noCaller: Caller = {
  kind: 'public',
  accountId: '',
  deviceId: null,
  scopes: [],
  tokenHash: '',
  tokenId: '',
  actor: operatorActor,
};

const operatorCaller: Caller = { ...noCaller, kind: 'operator' };

type AuthenticationResult = { ok: true; caller: Caller } | RefusedReply;

export interface AuthenticationOptions {
  store: Store;
  /** The operator's token. If undefined, there are no operator routes. */
  adminToken: string | undefined;
  tokenUse: TokenUseRecorder;
}

/** Refuses with `unauthorized` if the token is not valid, and with `forbidden` if the token has none of the scopes. */
export async function authenticate(
  { store, adminToken, tokenUse }: AuthenticationOptions,
  access: AllowedCallers,
  authorization: string | undefined,
): Promise<AuthenticationResult> {
  if (access === 'public') return { ok: true, caller: noCaller };
  const token = bearerToken(authorization);
  if (token === undefined) return unauthorizedRefusal('Send the header Authorization: Bearer <token>.');
  if (access === 'operator') {
    const isOperator = adminToken !== undefined && isSameSecret(token, adminToken);
    return isOperator ? { ok: true, caller: operatorCaller } : unauthorizedRefusal("This is not the operator's token.");
  }
  const key = parseToken(token);
  const row = key && (await store.token(key));
  if (!row || row.revoked_at !== null) return invalidTokenRefusal;
  tokenUse.record(row);
  if (!access.some((scope) => row.scopes.includes(scope))) return missingScopeRefusal(access);
  const { account_id: accountId, device_id: deviceId, scopes, token_hash: tokenHash, id: tokenId } = row;
  return {
    ok: true,
    caller: {
      kind: 'token',
      accountId,
      deviceId,
      scopes,
      tokenHash,
      tokenId,
      actor: callerAsCreator({ deviceId, tokenId }),
    },
  };
}

export function bearerToken(authorization: string | undefined): string | undefined {
  return /^bearer +([^ ]+) *$/i.exec(authorization ?? '')?.[1];
}

/**
 * Compares in constant time, since the duration would otherwise tell an attacker how many characters of a guess are
 * right.
 */
function isSameSecret(given: string, secret: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(secret)));
}

function unauthorizedRefusal(detail: string): RefusedReply {
  return { ok: false, error: { code: 'unauthorized', detail } };
}

function missingScopeRefusal(scopes: Scope[]): RefusedReply {
  const detail = `This needs a token with the scope ${scopes.join(' or ')}.`;
  return { ok: false, error: { code: 'forbidden', detail, members: { scopes } } };
}

/** `public` allows everyone, and `operator` only the operator. A list allows tokens with at least one of its scopes. */
export type AllowedCallers = 'public' | 'operator' | Caller['scopes'];
