/** Decides when a mutation that fails alone in its batch is unsendable. Pure. */
export interface Suspicion {
  /** Counts failed pushes of a single mutation in a row. */
  singleFailures: number;
  /** Counts mutations marked unsendable since the server last received a mutation. */
  unsendable: number;
}

export const noSuspicion: Suspicion = { singleFailures: 0, unsendable: 0 };

/** A mutation is marked unsendable after this many failed pushes without other mutations. */
const singleFailuresMin = 3;
/**
 * If this many mutations are marked in a row and no push succeeds in between, their content is not the cause. No more
 * mutations are marked.
 */
const unsendableMax = 3;

export function judgeSingleMutationFailure(before: Suspicion): { suspicion: Suspicion; isUnsendable: boolean } {
  const singleFailures = before.singleFailures + 1;
  const isUnsendable = singleFailures >= singleFailuresMin && before.unsendable < unsendableMax;
  const suspicion = isUnsendable
    ? { singleFailures: 0, unsendable: before.unsendable + 1 }
    : { ...before, singleFailures };
  return { suspicion, isUnsendable };
}
