/**
 * Decides when a mutation becomes unsendable because its pushes fail even without other mutations in the batch. Pure.
 */
export interface FailureCounts {
  /** Counts the failed pushes in a row of a batch that held only one mutation. */
  singleFailures: number;
  /** Counts the mutations marked unsendable since the server last answered a mutation. */
  unsendable: number;
}

/** A mutation becomes unsendable after this many failed pushes without other mutations in the batch. */
const singleFailuresMin = 3;
/**
 * Limits how many mutations become unsendable without a successful push in between. If more mutations fail, their
 * content is probably not the cause.
 */
const unsendableMax = 3;

export function judgeSingleMutationFailure(before: FailureCounts): { counts: FailureCounts; isUnsendable: boolean } {
  const singleFailures = before.singleFailures + 1;
  const isUnsendable = singleFailures >= singleFailuresMin && before.unsendable < unsendableMax;
  const counts = isUnsendable
    ? { singleFailures: 0, unsendable: before.unsendable + 1 }
    : { ...before, singleFailures };
  return { counts, isUnsendable };
}
