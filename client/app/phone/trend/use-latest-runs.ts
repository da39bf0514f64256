import { useEffect, useState } from 'preact/hooks';
import { GembaError, type LatestRuns, type RunTotals } from '../../../client.ts';
import { useGemba, useValue, useValueOf } from '../../shell/engine.tsx';
import type { TrendBorder } from './before-after.ts';

/**
 * Loads the latest runs of a map. After a failure, loads them again once a sync succeeds or a person taps Try again.
 */
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

/**
 * Loads the run that marks the border between before and after in a trend, if the run is older than the trend's runs
 * and not on this device. Until the run is loaded, the border stands in the middle of the trend's runs.
 */
export function useLoadBorderRun({ mapId, border, known, latest }: BorderRunOptions): void {
  const gemba = useGemba();
  const runId = border && 'runId' in border ? border.runId : undefined;
  const isMissing = latest?.state === 'complete' && latest.missing > 0 && known.every(({ id }) => id !== runId);
  useEffect(() => {
    if (runId === undefined || !isMissing) return;
    gemba.loadRuns(mapId, [runId]).catch((error: unknown) => {
      // Ignores a failure: without the run, the trend puts its border in the middle of the runs.
      if (!(error instanceof GembaError)) throw error;
    });
  }, [gemba, mapId, runId, isMissing]);
}
