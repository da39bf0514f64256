/** Lets other work go on between the parts of long work: `const pause = pace(); if (pause) await pause;`. */
export type Pace = () => Promise<void> | undefined;

const sliceMsMax = 5;

export function createPace(nextTurn: () => Promise<unknown>): Pace {
  let sliceStartedAt = performance.now();
  return () => {
    if (performance.now() - sliceStartedAt < sliceMsMax) return undefined;
    return nextTurn().then(() => void (sliceStartedAt = performance.now()));
  };
}
