/** Decides when a mutation that repeatedly failed as the only mutation of a batch is unsendable. Pure. */
export interface Suspicion {
  /** How many pushes of a single mutation failed in a row. */
  singleFailures: number;
  /** How many mutations were marked unsendable since the server last received a mutation. */
  unsendable: number;
}

export const noSuspicion: Suspicion = { singleFailures: 0, unsendable: 0 };

/** How many pushes of a single mutation must fail before the mutation is marked unsendable. */
const singleFailuresMin = 3;
/**
 * If the server has received nothing after this many marked mutations, their content is not the cause: mark no more.
 */
const unsendableMax = 3;

/** Counts one more failed push of a single mutation. */
export function afterSingleFailure(before: Suspicion): { suspicion: Suspicion; isUnsendable: boolean } {
  const singleFailures = before.singleFailures + 1;
  const isUnsendable = singleFailures >= singleFailuresMin && before.unsendable < unsendableMax;
  const suspicion = isUnsendable
    ? { singleFailures: 0, unsendable: before.unsendable + 1 }
    : { ...before, singleFailures };
  return { suspicion, isUnsendable };
}
