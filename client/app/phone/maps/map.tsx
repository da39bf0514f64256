import { useState } from 'preact/hooks';
import type { FullMap } from '../../../../shared/schema/map.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Screen } from '../../ui/screen.tsx';
import { toast } from '../../ui/toast.tsx';
import { useGemba, useValue, useValueOf } from '../../shell/engine.tsx';
import { Link, navigate } from '../../shell/router.tsx';
import { moment } from '../../text/format.ts';
import { texts } from '../../text/texts.ts';
import { MapDialog } from './map-dialog.tsx';
import { StageDialog } from '../stages/stage-dialog.tsx';
import { StageList } from '../stages/stage-list.tsx';
import { tried } from '../tried.ts';
import { ValueStream } from './value-stream.tsx';
import { phoneTexts } from '../../text/phone.ts';

export function MapScreen({ mapId }: { mapId: string }) {
  const gemba = useGemba();
  const map = useValueOf(() => gemba.map$(mapId), [gemba, mapId]);
  const status = useValue(gemba.status$);
  const [beginning, begin] = useState(false);
  // Whether it is gone is known once all is read.
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
        <Button look="primary" icon="undo" onClick={() => void tried(gemba.restoreMap(mapId))}>
          {phoneTexts.map.restore}
        </Button>
      </Screen>
    );
  }
  const record = async () => {
    begin(true);
    try {
      if (await tried(gemba.startRecording({ mapId }))) navigate('/record');
    } finally {
      begin(false);
    }
  };
  return (
    <Screen title={map.name} back="/">
      <Button look="primary" icon="record" wide disabled={beginning} onClick={record}>
        {texts.map.record}
      </Button>
      <WayToRuns map={map} />
      {map.stages.length > 0 && <ValueStream map={map} />}
      {/* What changes a map begins with what is there, and not with what was there last. */}
      {status && <Stages map={map} />}
      {status && <Ways map={map} />}
    </Screen>
  );
}

function WayToRuns({ map: { id, run_count, last_run_at } }: { map: FullMap }) {
  return (
    <Link href={`/maps/${id}/runs`} class="card list-row way-to-runs">
      <div class="list-text">
        <p class="list-name">{phoneTexts.runs.way(run_count)}</p>
        <p class="soft small">{last_run_at ? phoneTexts.runs.last(moment(last_run_at)) : phoneTexts.runs.never}</p>
      </div>
      <Icon name="forward" />
    </Link>
  );
}

function Stages({ map: { id, stages } }: { map: FullMap }) {
  const [adding, setAdding] = useState(false);
  const add = (
    <Button icon="plus" onClick={() => setAdding(true)}>
      {phoneTexts.stage.add}
    </Button>
  );
  const added = () => setAdding(false);
  if (stages.length === 0) {
    return (
      <EmptyState title={phoneTexts.stage.emptyTitle} text={phoneTexts.stage.emptyText}>
        {add}
        <StageDialog mapId={id} stage={undefined} open={adding} count={0} move={() => {}} onClose={added} />
      </EmptyState>
    );
  }
  return (
    <>
      <div class="section-head">
        <h2>{texts.map.stages}</h2>
        {add}
      </div>
      <StageList mapId={id} stages={stages} adding={adding} onAdded={added} />
    </>
  );
}

/** What else can be done with the map; each can be taken back. */
function Ways({ map }: { map: FullMap }) {
  const gemba = useGemba();
  const [renaming, setRenaming] = useState(false);
  const { id, name, archived } = map;
  const setArchived = (to: boolean) => tried(gemba.updateMap(id, { archived: to }));
  const archive = async () => {
    if (!(await setArchived(!archived))) return;
    toast({
      text: archived ? phoneTexts.map.unarchived(name) : phoneTexts.map.archived(name),
      undo: () => void setArchived(archived),
    });
  };
  const remove = async () => {
    if (!(await tried(gemba.deleteMap(id)))) return;
    navigate('/', { replace: true });
    toast({ text: phoneTexts.map.removed(name), undo: () => void tried(gemba.restoreMap(id)) });
  };
  return (
    <div class="ways">
      <Button onClick={() => setRenaming(true)}>{phoneTexts.map.edit}</Button>
      <Button onClick={archive}>{archived ? phoneTexts.map.unarchive : phoneTexts.map.archive}</Button>
      <Button look="danger" onClick={remove}>
        {phoneTexts.map.remove}
      </Button>
      <MapDialog map={map} open={renaming} onClose={() => setRenaming(false)} />
    </div>
  );
}
