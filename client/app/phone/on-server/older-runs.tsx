/** Says how many runs of a map are on the server alone, and loads them. */
import { useEffect } from 'preact/hooks';
import type { FullMap } from '../../../../shared/schema/map.ts';
import type { RunRecord } from '../../../../shared/schema/run.ts';
import { Button } from '../../ui/button.tsx';
import { useGemba, useValue } from '../../shell/engine.tsx';
import { onServerTexts } from '../../text/phone-runs.ts';
import { useServerRequest } from '../devices/server-request.tsx';

interface OlderRunsProps {
  map: Pick<FullMap, 'id' | 'last_run_number'>;
  /** The runs on this device. */
  runs: readonly RunRecord[];
}

export function OlderRuns({ map: { id, last_run_number }, runs }: OlderRunsProps) {
  const gemba = useGemba();
  const count = useRunsOnServer(id);
  const isOffline = useValue(gemba.status$)?.phase === 'offline';
  const { busy, failure, run } = useServerRequest();
  const load = () => void run(gemba.loadRuns(id), () => {});
  // A person who opens a list without runs wants to see some.
  const isWanted = count > 0 && runs.length === 0 && !isOffline;
  useEffect(() => {
    if (isWanted) load();
  }, [isWanted]);
  if (count === 0) return null;
  const hasNewest = runs.some(({ number }) => number === last_run_number);
  const failureText = isOffline ? onServerTexts.offline : failure;
  return (
    <div class="card stack">
      <p role="status">{hasNewest ? onServerTexts.older(count) : onServerTexts.more(count)}</p>
      {failureText && <p class="soft small">{failureText}</p>}
      {!isOffline && (
        <Button disabled={busy} onClick={load}>
          {busy ? onServerTexts.loading : hasNewest ? onServerTexts.loadOlder : onServerTexts.loadMore}
        </Button>
      )}
    </div>
  );
}

/** Says below figures which runs they leave out. */
export function LeftOutRuns({ mapId }: { mapId: string }) {
  const count = useRunsOnServer(mapId);
  return count > 0 ? <p class="soft small">{onServerTexts.leftOut(count)}</p> : null;
}

/** Returns how many runs of the map are on the server and not on this device. */
function useRunsOnServer(mapId: string): number {
  return useValue(useGemba().runsOnServer$)?.ofMap.get(mapId) ?? 0;
}
