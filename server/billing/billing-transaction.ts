/** Reads and changes what an account pays for, its plan and its seats, under the account's lock. */
import { assert } from '../../shared/domain/assert.ts';
import { CredentialSet } from '../auth/credential-set.ts';
import { writesWithoutRecords } from '../auth/credential-transaction.ts';
import { isoNow, type World } from '../core/world.ts';
import { emptyReadSet } from '../mutate/working-set/read-set.ts';
import { WorkingSet } from '../mutate/working-set/working-set.ts';
import { accountLimitsDefault } from '../store/account-limits.ts';
import { noBilling, type BillingRow } from '../store/billing/billing-row.ts';
import type { Store } from '../store/store.ts';

/** The rows that one transaction loaded, with its changes. */
export class BillingSet {
  readonly credentials: CredentialSet;
  #row: BillingRow;
  #isChanged = false;

  constructor(credentials: CredentialSet, row: BillingRow | undefined) {
    this.credentials = credentials;
    this.#row = row ?? noBilling;
  }

  get row(): BillingRow {
    return this.#row;
  }

  put(row: BillingRow): void {
    this.#row = row;
    this.#isChanged = true;
  }

  writes(): BillingRow | undefined {
    return this.#isChanged ? this.#row : undefined;
  }
}

interface BillingReadSet {
  accountId: string;
  idempotencyKeys?: string[];
  tokenHashes?: string[];
}

/** `decide` must be pure, since the store may run it again after a conflict. */
export function runBillingTransaction<Result>(
  { store, world }: { store: Store; world: World },
  { accountId, ...keys }: BillingReadSet,
  decide: (set: WorkingSet, billing: BillingSet, now: string) => Result,
): Promise<Result> {
  const now = isoNow(world);
  const credentialReadSet = { deviceIds: [], keyIds: [], creators: [] };
  const readSet = { ...emptyReadSet(), ...keys, credentials: credentialReadSet, billing: true };
  return store.transact(accountId, readSet, (loaded) => {
    assert(loaded.credentials, 'the read set has credentials');
    const set = new WorkingSet(loaded, readSet, accountLimitsDefault);
    const credentials = new CredentialSet(loaded.account, loaded.credentials);
    const billing = new BillingSet(credentials, loaded.billing);
    const result = decide(set, billing, now);
    for (const { type, subjectId } of credentials.events) {
      set.events.add(type, subjectId, { version: set.nextVersion(), now });
    }
    const changed = { records: set.writes(), credentials: credentials.writes(), billing: billing.writes() };
    if (!changed.records && !changed.credentials && !changed.billing) return { result };
    return {
      writes: {
        ...(changed.records ?? writesWithoutRecords(loaded.account)),
        ...(changed.credentials ? { credentials: changed.credentials } : {}),
        ...(changed.billing ? { billing: changed.billing } : {}),
      },
      result,
    };
  });
}
