/**
 * Checks a request's token again under the account's lock. The first lookup comes before the body, which may take
 * minutes to arrive, and a token that is revoked meanwhile must write nothing.
 */
import type { RefusedRequest } from '../core/reply.ts';
import type { Unit } from './unit.ts';

/** The account that a request writes to, and the token that it used. */
export interface AccountToken {
  accountId: string;
  /** null if the request has no token of the account: the operator's requests, and a device that is being paired. */
  tokenHash: string | null;
}

export function withTokenCheck<Answer>({ tokenHash }: AccountToken, unit: Unit<Answer>): Unit<Answer | RefusedRequest> {
  if (tokenHash === null) return unit as Unit<Answer | RefusedRequest>;
  const { readSet, outcomes } = unit;
  return {
    readSet: { ...readSet, tokenHashes: [tokenHash] },
    decide: (set, now) => (set.isRevoked(tokenHash) ? tokenRefused : unit.decide(set, now)),
    ...(outcomes ? { outcomes: (answer) => (answer === tokenRefused ? [] : outcomes(answer as Answer)) } : {}),
  };
}

export const tokenRefused: RefusedRequest = {
  ok: false,
  error: { code: 'unauthorized', detail: 'The token is unknown, revoked or expired.' },
};
