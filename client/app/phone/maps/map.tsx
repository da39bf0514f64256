import type { FullMap } from '../../../client.ts';
import type { FunctionComponent } from 'preact';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Screen, ScreenFrame } from '../../ui/screen.tsx';
import { useGemba, useValue, useValueOf } from '../../shell/engine.tsx';
import { Link } from '../../shell/router.tsx';
import { dateTimeText } from '../../text/format.ts';
import { texts } from '../../text/texts.ts';
import { OnDemandMapMenu, OnDemandMissingMap, OnDemandStageSection, OnDemandValueStream } from '../use-on-demand.tsx';
import { useStartRecording } from './use-start-recording.ts';
import { phoneTexts } from '../../text/phone.ts';

interface MapScreenProps {
  mapId: string;
  /** The lists of runs and stages that a desk shows. A phone shows the stages and a link to the runs instead. */
  Lists?: FunctionComponent<{ map: FullMap }>;
}

export function MapScreen({ mapId, Lists }: MapScreenProps) {
  const gemba = useGemba();
  const map = useValueOf(() => gemba.map$(mapId), [gemba, mapId]);
  const status = useValue(gemba.status$);
  const { isStarting, record } = useStartRecording(mapId);
  // Shows an empty screen until the engine is open, since its database may have the map.
  if (!map || map.deleted) return status ? <OnDemandMissingMap mapId={mapId} /> : <ScreenFrame />;
  return (
    <Screen title={map.name} back="/" actions={status && <OnDemandMapMenu map={map} />}>
      <Button look="primary" icon="record" wide disabled={isStarting} onClick={() => void record()}>
        {texts.map.record}
      </Button>
      {!Lists && <RunsLink map={map} />}
      {map.stages.length > 0 && <OnDemandValueStream map={map} />}
      {/* Before the engine is open, `map` may be an old copy from the last visit, which nobody should edit. */}
      {status && (Lists ? <Lists map={map} /> : <OnDemandStageSection map={map} />)}
    </Screen>
  );
}

function RunsLink({ map: { id, run_count, last_run_at } }: { map: FullMap }) {
  return (
    <Link href={`/maps/${id}/runs`} class="card list-row runs-link">
      <div class="list-text">
        <p class="list-name">{phoneTexts.runs.count(run_count)}</p>
        <p class="soft small">
          {last_run_at ? phoneTexts.runs.last(dateTimeText(last_run_at)) : phoneTexts.runs.never}
        </p>
      </div>
      <Icon name="forward" />
    </Link>
  );
}
