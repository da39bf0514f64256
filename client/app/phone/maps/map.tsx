import { useState } from 'preact/hooks';
import type { FullMap } from '../../../../shared/schema/map.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Screen } from '../../ui/screen.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useGemba, useValue, useValueOf } from '../../shell/engine.tsx';
import { Link, navigate } from '../../shell/router.tsx';
import { dateTimeText } from '../../text/format.ts';
import { texts } from '../../text/texts.ts';
import { MapDialog } from './map-dialog.tsx';
import { OnDemandStageSection } from '../use-on-demand.tsx';
import { succeededOrToast } from '../succeeded-or-toast.ts';
import { ValueStream } from './value-stream.tsx';
import { phoneTexts } from '../../text/phone.ts';

export function MapScreen({ mapId }: { mapId: string }) {
  const gemba = useGemba();
  const map = useValueOf(() => gemba.map$(mapId), [gemba, mapId]);
  const status = useValue(gemba.status$);
  const recording = useValue(gemba.recording$);
  const [isStarting, setStarting] = useState(false);
  // Shows an empty screen while the engine opens, since the map may still be in the database.
  if (!map && !status) return <main class="screen" id="content" />;
  if (!map)
    return (
      <Screen title={texts.map.gone} back="/">
        {null}
      </Screen>
    );
  if (map.deleted) {
    return (
      <Screen title={map.name} back="/maps/bin">
        <p class="card">{phoneTexts.map.inBin}</p>
        <Button look="primary" icon="undo" onClick={() => void succeededOrToast(gemba.restoreMap(mapId))}>
          {phoneTexts.map.restore}
        </Button>
      </Screen>
    );
  }
  const record = async () => {
    if (recording) return navigate('/record');
    setStarting(true);
    try {
      if (await succeededOrToast(gemba.startRecording({ mapId }))) navigate('/record');
    } finally {
      setStarting(false);
    }
  };
  return (
    <Screen title={map.name} back="/">
      <Button look="primary" icon="record" wide disabled={isStarting} onClick={record}>
        {texts.map.record}
      </Button>
      <RunsLink map={map} />
      {map.stages.length > 0 && <ValueStream map={map} />}
      {/* Waits for the current map, since the map may be the stored copy that was shown last. */}
      {status && <OnDemandStageSection map={map} />}
      {status && <MapActions map={map} />}
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

function MapActions({ map }: { map: FullMap }) {
  const gemba = useGemba();
  const [isEditing, setEditing] = useState(false);
  const { id, name, archived } = map;
  const setArchived = (isArchived: boolean) => succeededOrToast(gemba.updateMap(id, { archived: isArchived }));
  const archive = async () => {
    if (!(await setArchived(!archived))) return;
    showToast({
      text: archived ? phoneTexts.map.unarchived(name) : phoneTexts.map.archived(name),
      undo: () => void setArchived(archived),
    });
  };
  const remove = async () => {
    if (!(await succeededOrToast(gemba.deleteMap(id)))) return;
    navigate('/', { replace: true });
    showToast({ text: phoneTexts.map.removed(name), undo: () => void succeededOrToast(gemba.restoreMap(id)) });
  };
  return (
    <div class="actions">
      <Button onClick={() => setEditing(true)}>{phoneTexts.map.edit}</Button>
      <Button onClick={archive}>{archived ? phoneTexts.map.unarchive : phoneTexts.map.archive}</Button>
      <Button look="danger" onClick={remove}>
        {phoneTexts.map.remove}
      </Button>
      <MapDialog map={map} open={isEditing} onClose={() => setEditing(false)} />
    </div>
  );
}
