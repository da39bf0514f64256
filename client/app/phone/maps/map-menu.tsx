/** The actions on a map, in a dialog that the head of the map's screen opens. */
import { useState } from 'preact/hooks';
import type { FullMap } from '../../../../shared/schema/map.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useGemba } from '../../shell/engine.tsx';
import { navigate } from '../../shell/router.tsx';
import { mapMenuTexts } from '../../text/phone-maps.ts';
import { plannedWith, rememberPlan } from '../beside/future-states.ts';
import { succeededOrToast } from '../succeeded-or-toast.ts';
import { MapDialog } from './map-dialog.tsx';
import { copyMap, nameWithSuffix } from './map-copy.ts';

export function MapMenu({ map }: { map: FullMap }) {
  const [isOpen, setOpen] = useState(false);
  const [isEditing, setEditing] = useState(false);
  return (
    <>
      <IconButton icon="more" label={mapMenuTexts.open} onClick={() => setOpen(true)} />
      <Dialog open={isOpen} title={map.name} onClose={() => setOpen(false)}>
        <MapActions
          map={map}
          onEdit={() => {
            setOpen(false);
            setEditing(true);
          }}
          onClose={() => setOpen(false)}
        />
      </Dialog>
      <MapDialog map={map} open={isEditing} onClose={() => setEditing(false)} />
    </>
  );
}

interface MapActionsProps {
  map: FullMap;
  onEdit(): void;
  onClose(): void;
}

function MapActions({ map, onEdit, onClose }: MapActionsProps) {
  const gemba = useGemba();
  const [isBusy, setBusy] = useState(false);
  const { id, name, archived, state } = map;
  const run = async (action: () => Promise<void>) => {
    setBusy(true);
    await action().finally(() => setBusy(false));
  };
  /** Resolves to the id of the copy; undefined if the copy was refused. */
  const copy = async (suffix: string, copyState: FullMap['state']): Promise<string | undefined> => {
    let copyId: string | undefined;
    const fields = { name: nameWithSuffix(name, suffix), state: copyState };
    const make = async () => {
      copyId = await copyMap(gemba, map, fields);
    };
    return (await succeededOrToast(make())) ? copyId : undefined;
  };
  const show = (copyId: string, text: string) => {
    onClose();
    navigate(`/maps/${copyId}`);
    showToast({ text });
  };
  const duplicate = async () => {
    const copyId = await copy(mapMenuTexts.copySuffix, state);
    if (copyId) show(copyId, mapMenuTexts.duplicated(name));
  };
  const planFuture = async () => {
    const copyId = await copy(mapMenuTexts.futureSuffix, 'future');
    if (!copyId) return;
    rememberPlan({ currentId: id, futureId: copyId });
    show(copyId, mapMenuTexts.planned);
  };
  const compare = () => {
    const otherId = plannedWith(id);
    onClose();
    navigate(`/maps/${id}/beside${otherId ? `/${otherId}` : ''}`);
  };
  const setArchived = (isArchived: boolean) => succeededOrToast(gemba.updateMap(id, { archived: isArchived }));
  const archive = async () => {
    if (!(await setArchived(!archived))) return;
    onClose();
    showToast({
      text: archived ? mapMenuTexts.unarchived(name) : mapMenuTexts.archived(name),
      undo: () => void setArchived(archived),
    });
  };
  const remove = async () => {
    if (!(await succeededOrToast(gemba.deleteMap(id)))) return;
    onClose();
    navigate('/', { replace: true });
    showToast({ text: mapMenuTexts.removed(name), undo: () => void succeededOrToast(gemba.restoreMap(id)) });
  };
  return (
    <div class="stack">
      <Button wide onClick={onEdit}>
        {mapMenuTexts.edit}
      </Button>
      <Button wide disabled={isBusy} onClick={() => run(duplicate)}>
        {mapMenuTexts.duplicate}
      </Button>
      {state === 'current' && (
        <Button wide disabled={isBusy} onClick={() => run(planFuture)}>
          {mapMenuTexts.planFuture}
        </Button>
      )}
      <Button wide onClick={compare}>
        {mapMenuTexts.beside}
      </Button>
      <Button wide disabled={isBusy} onClick={() => run(archive)}>
        {archived ? mapMenuTexts.unarchive : mapMenuTexts.archive}
      </Button>
      <Button wide look="danger" disabled={isBusy} onClick={() => run(remove)}>
        {mapMenuTexts.remove}
      </Button>
    </div>
  );
}
