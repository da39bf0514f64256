import type { RefusedRequest } from '../core/reply.ts';
import type { ClientOwner } from '../store/store.ts';

/** Refuses a request that names another account than its token's, so that no account gets another account's work. */
export function accountRefusal(given: string | undefined, caller: ClientOwner): RefusedRequest | undefined {
  if (given === undefined || given.toLowerCase() === caller.accountId) return undefined;
  const detail =
    'This device holds the work of another account than this token is for. Everything stays on the device: use a token of its account, or open this account in a place of its own.';
  return { ok: false, error: { code: 'account_mismatch', detail } };
}
