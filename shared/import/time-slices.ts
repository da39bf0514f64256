/** Lets other work go on between the parts of long work: `const turn = yieldIfDue(at); if (turn) await turn;`. */
export type YieldIfDue = (at: ImportProgress) => Promise<void> | undefined;

/**
 * The progress of an import. `reading` counts characters of the file, `checking` counts checks, `saving` counts
 * recordings.
 */
export interface ImportProgress {
  phase: 'reading' | 'checking' | 'saving';
  done: number;
  total: number;
}

/** The number of checks of each recording: by itself, for its map, and against existing recordings. */
export const checksPerRecording = 3;

const sliceMsMax = 5;

/** `nextTurn` lets other work go on. The promise that it returns may reject, which ends the import. */
export function createYieldIfDue(nextTurn: (at: ImportProgress) => Promise<unknown>): YieldIfDue {
  let sliceStartedAt = performance.now();
  return (at) => {
    if (performance.now() - sliceStartedAt < sliceMsMax) return undefined;
    return nextTurn(at).then(() => void (sliceStartedAt = performance.now()));
  };
}
