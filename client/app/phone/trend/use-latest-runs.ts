import { useEffect, useState } from 'preact/hooks';
import { GembaError, type LatestRuns, type RunTotals } from '../../../client.ts';
import { useGemba, useValue, useValueOf } from '../../shell/engine.tsx';
import type { TrendBorder } from './trend-parts.ts';

/** Asks the server again once it is reached after a failure, or when a person wants it. */
export function useLatestRuns(mapId: string, runsMax: number) {
  const gemba = useGemba();
  const [attempt, setAttempt] = useState(0);
  const latest = useValueOf(() => gemba.latestRuns$(mapId, runsMax), [gemba, mapId, attempt]);
  const status = useValue(gemba.status$);
  const isOffline = status?.phase === 'offline';
  const onAgain = () => setAttempt((count) => count + 1);
  useEffect(() => {
    if (!isOffline && latest?.state === 'partial') onAgain();
  }, [isOffline, status?.last_synced_at]);
  return { latest, isOffline, onAgain };
}

interface BorderRunOptions {
  mapId: string;
  border: TrendBorder | undefined;
  known: readonly RunTotals[];
  latest: LatestRuns | undefined;
}

/** Loads the run of the border if it is older than the trend, since a deleted one would leave the trend without a border. */
export function useBorderRun({ mapId, border, known, latest }: BorderRunOptions): void {
  const gemba = useGemba();
  const runId = border && 'runId' in border ? border.runId : undefined;
  const isMissing = latest?.state === 'complete' && latest.missing > 0 && known.every(({ id }) => id !== runId);
  useEffect(() => {
    if (runId === undefined || !isMissing) return;
    gemba.loadRuns(mapId, [runId]).catch((error: unknown) => {
      // Without the server the border is in the middle, as that of a deleted run.
      if (!(error instanceof GembaError)) throw error;
    });
  }, [gemba, mapId, runId, isMissing]);
}
