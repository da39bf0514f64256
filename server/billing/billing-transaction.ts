/** Reads and changes an account's row of billing, its plan and its seats, under the account's lock. */
import { assert } from '../../shared/domain/assert.ts';
import { CredentialWorkingSet } from '../auth/credential-working-set.ts';
import type { World } from '../core/world.ts';
import { runAccountTransaction } from '../mutate/account-transaction.ts';
import type { WorkingSet } from '../mutate/working-set/working-set.ts';
import { emptyBillingRow, type BillingRow } from '../store/billing/billing-row.ts';
import type { Store } from '../store/store.ts';

/** The row of billing and the credentials that one transaction loaded, with the changes that it makes to them. */
export class BillingWorkingSet {
  readonly credentials: CredentialWorkingSet;
  #row: BillingRow;
  #isChanged = false;

  constructor(credentials: CredentialWorkingSet, row: BillingRow | undefined) {
    this.credentials = credentials;
    this.#row = row ?? emptyBillingRow;
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
  services: { store: Store; world: World },
  { accountId, ...keys }: BillingReadSet,
  decide: (set: WorkingSet, billing: BillingWorkingSet, now: string) => Result,
): Promise<Result> {
  const readSet = { ...keys, credentials: { deviceIds: [], keyIds: [], creators: [] }, billing: true };
  return runAccountTransaction(services, { accountId, readSet }, (set, loaded, now) => {
    assert(loaded.credentials, 'the read set has credentials');
    const credentials = new CredentialWorkingSet(loaded.account, loaded.credentials);
    const billing = new BillingWorkingSet(credentials, loaded.billing);
    const result = decide(set, billing, now);
    const changed = { credentials: credentials.writes(), billing: billing.writes() };
    const rows = {
      ...(changed.credentials ? { credentials: changed.credentials } : {}),
      ...(changed.billing ? { billing: changed.billing } : {}),
    };
    return { result, events: credentials.events, rows };
  });
}
