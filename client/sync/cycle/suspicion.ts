/** Decides when a mutation that keeps failing alone is withdrawn. Pure. */
export interface Suspicion {
  /** How often in a row a mutation failed alone. */
  triesAlone: number;
  /** How many mutations were withdrawn since content last passed. */
  withdrawn: number;
}

export const unsuspicious: Suspicion = { triesAlone: 0, withdrawn: 0 };

/** A mutation fails alone so often before it is withdrawn. */
const triesAloneMin = 3;
/** When so many in a row were withdrawn and none passed, the content is not the cause: the next one waits. */
const withdrawnMax = 3;

/** Counts one more failure of a mutation that was sent alone. */
export function afterFailingAlone(before: Suspicion): { suspicion: Suspicion; isWithdrawn: boolean } {
  const triesAlone = before.triesAlone + 1;
  const isWithdrawn = triesAlone >= triesAloneMin && before.withdrawn < withdrawnMax;
  const suspicion = isWithdrawn ? { triesAlone: 0, withdrawn: before.withdrawn + 1 } : { ...before, triesAlone };
  return { suspicion, isWithdrawn };
}
