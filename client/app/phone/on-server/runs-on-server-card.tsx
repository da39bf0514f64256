/** Says how many runs of a map are only on the server, and lets a person load them. */
import { useEffect } from 'preact/hooks';
import { runsPerCompareMax, type FullMap, type RunRecord } from '../../../client.ts';
import { Button } from '../../ui/button.tsx';
import { useGemba, useValue } from '../../shell/engine.tsx';
import { serverOnlyRunsTexts } from '../../text/phone-runs.ts';
import { useServerRequest } from '../devices/server-request.tsx';
import { useServerOnlyRunCount } from './use-server-only-run-count.ts';

interface RunsOnServerCardProps {
  map: Pick<FullMap, 'id' | 'last_run_number'>;
  /** The runs on this device. */
  runs: readonly RunRecord[];
}

export function RunsOnServerCard({ map: { id, last_run_number }, runs }: RunsOnServerCardProps) {
  const gemba = useGemba();
  const count = useServerOnlyRunCount(id);
  const isOffline = useValue(gemba.status$)?.phase === 'offline';
  const { busy, failure, run } = useServerRequest();
  const load = () => void run(gemba.loadRuns(id), () => {});
  // Loads without a tap if the list would be empty, since a person opens the list to see runs.
  const isWanted = count > 0 && runs.length === 0 && !isOffline;
  useEffect(() => {
    if (isWanted) load();
  }, [isWanted]);
  if (count === 0) return null;
  const hasNewest = runs.some(({ number }) => number === last_run_number);
  const failureText = isOffline ? serverOnlyRunsTexts.offline : failure;
  return (
    <div class="card stack">
      <p role="status">{hasNewest ? serverOnlyRunsTexts.older(count) : serverOnlyRunsTexts.more(count)}</p>
      {failureText && <p class="soft small">{failureText}</p>}
      {!isOffline && (
        <Button disabled={busy} onClick={load}>
          {busy
            ? serverOnlyRunsTexts.loading
            : hasNewest
              ? serverOnlyRunsTexts.loadOlder
              : serverOnlyRunsTexts.loadMore}
        </Button>
      )}
    </div>
  );
}

interface LeftOutRunsNoteProps {
  mapId: string;
  /** The number of runs that the figures count. */
  counted: number;
}

/**
 * A note to place below figures. It says that the figures leave out the runs that are only on the server. Shows nothing
 * if the figures already count as many runs as one comparison may count.
 */
export function LeftOutRunsNote({ mapId, counted }: LeftOutRunsNoteProps) {
  const count = useServerOnlyRunCount(mapId);
  return count > 0 && counted < runsPerCompareMax ? (
    <p class="soft small">{serverOnlyRunsTexts.leftOut(count)}</p>
  ) : null;
}
