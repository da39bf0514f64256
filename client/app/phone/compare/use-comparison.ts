import { combineLatest, of } from 'rxjs';
import { map } from 'rxjs/operators';
import { useEffect, useState } from 'preact/hooks';
import {
  GembaError,
  type Gemba,
  type StudyRequest,
  type Comparison,
  type RunDoc,
  type Stage,
} from '../../../client.ts';
import { useGemba } from '../../shell/engine.tsx';

/** Emits the runs with these ids that this device has, sorted by number, and emits again when one of them changes. */
export const existingRuns$ = (gemba: Gemba, ids: readonly number[]) =>
  (ids.length > 0 ? combineLatest(ids.map((id) => gemba.run$(id))) : of([])).pipe(
    map((found): RunDoc[] => found.filter((run) => run !== undefined).toSorted((a, b) => a.number - b.number)),
  );

interface ComparisonOptions {
  isCounted: (run: RunDoc) => boolean;
  study: StudyRequest;
  /** A renamed stage counts the times under its earlier names, so a change of the map's stages changes the figures. */
  mapStages: readonly Stage[];
}

interface ComparedRuns {
  runs: RunDoc[];
  /** Null if the comparison counts no run. */
  comparison: Comparison | null;
}

/**
 * Compares the runs for which `isCounted` is true. Returns undefined until the first figures are computed. Later
 * returns the old figures until the new figures are computed, so that inputs on the screen keep their focus.
 */
export function useComparison(
  runs: RunDoc[] | undefined,
  { isCounted, study, mapStages }: ComparisonOptions,
): ComparedRuns | undefined {
  const gemba = useGemba();
  const [compared, setCompared] = useState<ComparedRuns>();
  const countedIds = runs?.filter(isCounted).map(({ id }) => id);
  useEffect(() => {
    if (!runs || !countedIds) return undefined;
    let isCurrent = true;
    const compare = async () => {
      const comparison = countedIds.length > 0 ? await gemba.compareRuns(countedIds, study) : null;
      if (isCurrent) setCompared({ runs, comparison });
    };
    compare().catch((error: unknown) => {
      // A run was deleted during the comparison. The deletion also changes `runs`, and this change compares again.
      if (!(error instanceof GembaError && error.code === 'run_not_found')) throw error;
    });
    return () => {
      isCurrent = false;
    };
  }, [gemba, runs, countedIds?.join(), JSON.stringify(study), mapStages]);
  return compared;
}
