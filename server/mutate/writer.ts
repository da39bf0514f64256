/**
 * Checks a request's token again behind the account's lock. The token was looked up with the head of the request, and the
 * body may take minutes: a token that is revoked meanwhile must write nothing.
 */
import type { RefusedRequest } from '../core/reply.ts';
import type { Unit } from './unit.ts';

/** The account that a request writes to. */
export interface Writer {
  accountId: string;
  /** null where no token of the account stands behind the request: the operator, and a device that pairs. */
  tokenHash: string | null;
}

export function writerUnit<Answer>({ tokenHash }: Writer, unit: Unit<Answer>): Unit<Answer | RefusedRequest> {
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
