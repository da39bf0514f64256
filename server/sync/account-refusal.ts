import type { RefusedRequest } from '../core/reply.ts';
import type { Caller } from '../core/caller.ts';

/** Refuses a request that names another account than its token. Otherwise a device could mix work of two accounts. */
export function accountRefusal(
  requestedId: string | undefined,
  caller: Pick<Caller, 'accountId'>,
): RefusedRequest | undefined {
  if (requestedId === undefined || requestedId.toLowerCase() === caller.accountId) return undefined;
  const detail =
    'This device holds the work of another account than this token is for. Everything stays on the device: use a token of its account, or open this account in another browser profile.';
  return { ok: false, error: { code: 'account_mismatch', detail } };
}
