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

/** Emits those runs of `ids` that exist, sorted by number. Emits again when one of these runs changes. */
export const existingRuns$ = (gemba: Gemba, ids: readonly number[]) =>
  (ids.length > 0 ? combineLatest(ids.map((id) => gemba.run$(id))) : of([])).pipe(
    map((found): RunDoc[] => found.filter((run) => run !== undefined).toSorted((a, b) => a.number - b.number)),
  );

interface ComparisonOptions {
  isCounted: (run: RunDoc) => boolean;
  study: StudyRequest;
  /** The figures depend on the map's stages: a renamed stage includes the times under its earlier names. */
  mapStages: readonly Stage[];
}

interface ComparedRuns {
  runs: RunDoc[];
  /** Null if no run counts. */
  comparison: Comparison | null;
}

/**
 * Compares the runs that count. Returns the previous figures until the new figures are computed, so that inputs on the
 * screen keep their focus. Returns undefined before the first figures.
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
      // A run may be deleted during the comparison. `runs` then changes, which starts a new comparison.
      if (!(error instanceof GembaError && error.code === 'run_not_found')) throw error;
    });
    return () => {
      isCurrent = false;
    };
  }, [gemba, runs, countedIds?.join(), JSON.stringify(study), mapStages]);
  return compared;
}
