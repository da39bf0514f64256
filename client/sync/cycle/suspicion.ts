/** Decides when to withdraw a mutation that repeatedly failed as the only mutation of a batch. Pure. */
export interface Suspicion {
  /** How many pushes of a single mutation failed in a row. */
  singleFailures: number;
  /** How many mutations were withdrawn since the server last received a mutation. */
  withdrawn: number;
}

export const noSuspicion: Suspicion = { singleFailures: 0, withdrawn: 0 };

/** How many pushes of a single mutation must fail before the mutation is withdrawn. */
const singleFailuresMin = 3;
/** If this many mutations were withdrawn and the server received none, the cause is not their content: withdraw no more. */
const withdrawnMax = 3;

/** Counts one more failed push of a single mutation. */
export function afterSingleFailure(before: Suspicion): { suspicion: Suspicion; isWithdrawn: boolean } {
  const singleFailures = before.singleFailures + 1;
  const isWithdrawn = singleFailures >= singleFailuresMin && before.withdrawn < withdrawnMax;
  const suspicion = isWithdrawn
    ? { singleFailures: 0, withdrawn: before.withdrawn + 1 }
    : { ...before, singleFailures };
  return { suspicion, isWithdrawn };
}
