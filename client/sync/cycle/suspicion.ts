/** Decides when to withdraw a mutation that repeatedly failed in a batch of its own. Pure. */
export interface Suspicion {
  /** How often in a row a mutation failed in a batch of its own. */
  triesAlone: number;
  /** How many mutations were withdrawn since the server last took a mutation. */
  withdrawn: number;
}

export const noSuspicion: Suspicion = { triesAlone: 0, withdrawn: 0 };

/** How often a mutation must fail in a batch of its own before it is withdrawn. */
const triesAloneMin = 3;
/** After this many mutations were withdrawn and none was taken, their content is not the cause, and no more are withdrawn. */
const withdrawnMax = 3;

/** Counts one more failure of a mutation that was sent in a batch of its own. */
export function afterFailingAlone(before: Suspicion): { suspicion: Suspicion; isWithdrawn: boolean } {
  const triesAlone = before.triesAlone + 1;
  const isWithdrawn = triesAlone >= triesAloneMin && before.withdrawn < withdrawnMax;
  const suspicion = isWithdrawn ? { triesAlone: 0, withdrawn: before.withdrawn + 1 } : { ...before, triesAlone };
  return { suspicion, isWithdrawn };
}
