/** The commands of a map. A phone shows them in a dialog, a desk in the menu of the pane. */
import type { FullMap } from '../../../client.ts';
import { useContext, useState } from 'preact/hooks';
import { Commands } from '../../ui/commands.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { PaneContext } from '../../ui/pane.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useGemba } from '../../shell/engine.tsx';
import { navigate } from '../../shell/router.tsx';
import { exportTexts, pictureTexts, printTexts } from '../../text/interchange/phone-interchange.ts';
import { mapMenuTexts } from '../../text/phone-maps.ts';
import { plannedCounterpartId, rememberFutureState } from '../compare-maps/future-states.ts';
import { ExportDialog } from '../interchange/export-command.tsx';
import { PictureDialog } from '../interchange/picture-dialog.tsx';
import { printScreen } from '../interchange/print-command.tsx';
import { succeededOrToast } from '../succeeded-or-toast.ts';
import { EarlierStagesDialog } from './earlier-stages.tsx';
import { MapDialog } from './map-dialog.tsx';
import { copyMap, nameWithSuffix } from './map-copy.ts';

export function MapMenu({ map }: { map: FullMap }) {
  const [opened, setOpened] = useState<'menu' | 'edit' | 'earlier' | 'picture' | 'export'>();
  const isAtDesk = useContext(PaneContext) !== null;
  const close = () => setOpened(undefined);
  const actions = (
    <MapActions
      map={map}
      onEdit={() => setOpened('edit')}
      onEarlier={() => setOpened('earlier')}
      onPicture={() => setOpened('picture')}
      // On a desk, Export stands beside the list of runs, and each pane has its own Print.
      {...(!isAtDesk && { onExport: () => setOpened('export') })}
      onClose={close}
    />
  );
  return (
    <>
      {isAtDesk && actions}
      {!isAtDesk && (
        <>
          <IconButton icon="dots" label={mapMenuTexts.open} onClick={() => setOpened('menu')} />
          <Dialog open={opened === 'menu'} title={map.name} onClose={close}>
            {actions}
          </Dialog>
        </>
      )}
      <MapDialog map={map} open={opened === 'edit'} onClose={close} />
      <ExportDialog mapId={map.id} open={opened === 'export'} onClose={close} />
      <PictureDialog map={map} open={opened === 'picture'} onClose={close} />
      <EarlierStagesDialog map={map} open={opened === 'earlier'} onClose={close} />
    </>
  );
}

interface MapActionsProps {
  map: FullMap;
  onEdit(): void;
  onEarlier(): void;
  onPicture(): void;
  onExport?: () => void;
  onClose(): void;
}

function MapActions({ map, onEdit, onEarlier, onPicture, onExport, onClose }: MapActionsProps) {
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
    rememberFutureState({ currentId: id, futureId: copyId });
    show(copyId, mapMenuTexts.planned);
  };
  const compare = () => {
    const otherId = plannedCounterpartId(id);
    onClose();
    navigate(`/maps/${id}/beside${otherId ? `/${otherId}` : ''}`);
  };
  const printAfterClose = () => {
    onClose();
    printScreen();
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
    <Commands
      isStacked
      commands={[
        { label: mapMenuTexts.edit, run: onEdit },
        { label: mapMenuTexts.duplicate, isDisabled: isBusy, run: () => void run(duplicate) },
        ...(state === 'current'
          ? [{ label: mapMenuTexts.planFuture, isDisabled: isBusy, run: () => void run(planFuture) }]
          : []),
        { label: mapMenuTexts.beside, run: compare },
        { label: mapMenuTexts.earlier, run: onEarlier },
        ...(onExport
          ? [
              { label: exportTexts.runs, run: onExport },
              { label: printTexts.print, run: printAfterClose },
            ]
          : []),
        ...(map.stages.length > 0 ? [{ label: pictureTexts.open, run: onPicture }] : []),
        {
          label: archived ? mapMenuTexts.unarchive : mapMenuTexts.archive,
          isDisabled: isBusy,
          run: () => void run(archive),
        },
        { label: mapMenuTexts.remove, look: 'danger', isDisabled: isBusy, run: () => void run(remove) },
      ]}
    />
  );
}
