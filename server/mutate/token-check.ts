/**
 * Checks under the account's lock that a request's token is still valid. The first check runs before the body arrives,
 * and the token may be revoked while the body arrives.
 */
import { invalidTokenRefusal } from '../core/caller.ts';
import type { RefusedRequest } from '../core/reply.ts';
import type { UnitOfWork } from './unit.ts';
import type { EventActor } from '../../shared/schema/integration/account-event.ts';

/** The account that a request writes to, and the actor that writes, with the token of the request. */
export interface AccountWriter {
  accountId: string;
  actor: EventActor;
  /** null for the operator, and for a device whose pairing code was made without a token. */
  tokenHash: string | null;
}

export function withTokenCheck<Result>(
  { tokenHash, actor }: AccountWriter,
  unit: UnitOfWork<Result>,
): UnitOfWork<Result | RefusedRequest> {
  const { readSet, countedMutations } = unit;
  return {
    readSet: tokenHash === null ? readSet : { ...readSet, tokenHashes: [tokenHash] },
    run(set, now) {
      if (tokenHash !== null && set.isRevoked(tokenHash)) return invalidTokenRefusal;
      set.events.actor = actor;
      return unit.run(set, now);
    },
    ...(countedMutations && {
      countedMutations: (result) => (result === invalidTokenRefusal ? [] : countedMutations(result as Result)),
    }),
  };
}
