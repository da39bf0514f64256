/** Changes an account's devices and tokens in one transaction, which locks the account. */
import { assert } from '../../shared/domain/assert.ts';
import type { CredentialReadSet } from '../store/credentials/credentials.ts';
import type { Store } from '../store/store.ts';
import { CredentialWorkingSet } from './credential-working-set.ts';
import type { RestReply } from '../core/reply.ts';
import { runAccountTransaction } from '../mutate/account-transaction.ts';
import { idempotentUnit, type IdempotencyKey } from '../mutate/idempotent-unit.ts';
import { emptyReadSet } from '../mutate/working-set/read-set.ts';
import type { World } from '../core/world.ts';
import { withTokenCheck, type AccountWriter } from '../mutate/token-check.ts';

interface CredentialTransaction {
  readSet: Partial<CredentialReadSet>;
  idempotency?: IdempotencyKey | undefined;
  /** Must be pure, since the store may run `decide` again after a conflict. */
  decide(credentials: CredentialWorkingSet, now: string): RestReply;
}

/**
 * Runs `decide` in one transaction of the store. The account must exist. If the transaction rejects, the returned
 * promise rejects, too.
 */
export function runCredentialTransaction(
  services: { store: Store; world: World },
  writer: AccountWriter,
  { readSet, idempotency, decide }: CredentialTransaction,
): Promise<RestReply> {
  const wholeReadSet = {
    idempotencyKeys: idempotency ? [idempotency.key] : [],
    tokenHashes: writer.tokenHash === null ? [] : [writer.tokenHash],
    credentials: { deviceIds: [], keyIds: [], creators: [], ...readSet },
  };
  return runAccountTransaction(services, { ...writer, readSet: wholeReadSet }, (set, loaded, now) => {
    assert(loaded.credentials, 'the read set has credentials');
    const credentials = new CredentialWorkingSet(loaded.account, loaded.credentials);
    const unit = { readSet: emptyReadSet(), run: () => decide(credentials, now) };
    const result = withTokenCheck(writer, idempotentUnit({ idempotency, unit })).run(set, now);
    const changed = credentials.writes();
    return { result, events: credentials.events, rows: changed ? { credentials: changed } : {} };
  });
}
