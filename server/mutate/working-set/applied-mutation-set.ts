/**
 * The applied mutations that one transaction loads and adds. After a restore, copies of a device send their mutations
 * under different client ids. A restored account therefore stores the mutations that changed it. If another client
 * sends an equal mutation, that client gets the stored answer, and nothing is applied again.
 */
import { appliedMutationVersionsMax } from '../../store/account-limits.ts';
import type { AppliedMutationRow, LoadedRows, ReadSet, RecordWrites } from '../../store/transaction.ts';
import { RowSet } from './row-set.ts';

export class AppliedMutationSet {
  readonly #isStored: boolean;
  readonly #rows: RowSet<string, AppliedMutationRow>;

  constructor({ account, appliedMutations }: LoadedRows, { mutationDigests }: ReadSet) {
    this.#isStored = account.was_restored;
    this.#rows = new RowSet(appliedMutations, { keyOf: ({ digest }) => digest, read: mutationDigests });
  }

  /** Returns the equal mutation that another client sent. The sequence number shows a repeat by the same client. */
  findOfOtherClient({
    digest,
    client_id,
  }: Pick<AppliedMutationRow, 'digest' | 'client_id'>): AppliedMutationRow | undefined {
    const known = this.#isStored ? this.#rows.get(digest) : undefined;
    return known && known.client_id !== client_id ? known : undefined;
  }

  /** Has no effect if the account was never restored. */
  add(mutation: AppliedMutationRow): void {
    if (this.#isStored) this.#rows.put(mutation);
  }

  writes(): Pick<RecordWrites, 'appliedMutations' | 'appliedMutationsDeletedUpTo'> {
    const appliedMutations = this.#rows.changedRows();
    const last = appliedMutations.at(-1);
    if (!last) return { appliedMutations };
    return { appliedMutations, appliedMutationsDeletedUpTo: last.version - appliedMutationVersionsMax };
  }
}
