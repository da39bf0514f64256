/** Stands below a trend. Says how many shown runs came from the server, or how many runs the trend cannot show. */
import type { LatestRuns } from '../../../client.ts';
import { Button } from '../../ui/button.tsx';
import { deviceTexts } from '../../text/phone-on-demand.ts';
import { trendTexts } from '../../text/phone-maps.ts';

interface TrendCoverageProps {
  /** Undefined before the engine has answered. */
  latest: LatestRuns | undefined;
  /** True if this device has the map's latest run, so that any missing runs are older. */
  hasNewest: boolean;
  isOffline: boolean;
  onAgain(): void;
}

export function TrendCoverage({ latest, hasNewest, isOffline, onAgain }: TrendCoverageProps) {
  const { runs = [], fromServer = 0, missing = 0, state = 'complete', received = 0 } = latest ?? {};
  if (missing === 0) return null;
  if (state === 'complete') {
    return fromServer > 0 ? <p class="soft small">{trendTexts.fromServer(fromServer, runs.length)}</p> : null;
  }
  if (state === 'loading' && !isOffline) return <p role="status">{trendTexts.asking(missing, received)}</p>;
  const say = hasNewest ? trendTexts.coversNewest : trendTexts.coversHere;
  return (
    <div class="stack" role="status">
      <p>
        {isOffline && trendTexts.isOffline} {say(missing, runs.length)}
      </p>
      {!isOffline && (
        <Button icon="sync" onClick={onAgain}>
          {deviceTexts.again}
        </Button>
      )}
    </div>
  );
}
