/** Decides when a mutation that fails alone in its batch is unsendable. Pure. */
export interface Suspicion {
  /** Counts consecutive failed pushes of one mutation alone. */
  singleFailures: number;
  /** Counts mutations that were marked unsendable since the server last received a mutation. */
  unsendable: number;
}

/** A mutation is marked unsendable after this many failed pushes of that mutation alone. */
const singleFailuresMin = 3;
/**
 * After this many marked mutations without a successful push in between, no more are marked: the content is not the
 * cause.
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
