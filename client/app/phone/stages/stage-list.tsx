/**
 * Lists the stages of a map, in groups if there are many. A person moves a stage by dragging its handle, by the arrow
 * keys on the handle, or in its dialog. Screen readers announce the new position.
 */
import type { Stage } from '../../../client.ts';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useGemba } from '../../shell/engine.tsx';
import { stageTexts } from '../../text/phone-on-demand.ts';
import { texts } from '../../text/texts.ts';
import { FoldedList } from '../folded-list.tsx';
import { groupIndexOf } from '../../recorder/groups.ts';
import { succeededOrToast } from '../succeeded-or-toast.ts';
import { StageDialog } from './stage-dialog.tsx';
import { StageRows } from './stage-rows.tsx';

interface StageListProps {
  mapId: string;
  stages: Stage[];
  isAdding: boolean;
  onAdded(): void;
}

export function StageList({ mapId, stages, isAdding, onAdded }: StageListProps) {
  const gemba = useGemba();
  const [editedId, setEditedId] = useState<number>();
  const [group, setGroup] = useState<number>();
  const [announcement, announce] = useState('');
  const idMovedByKey = useRef<number | null>(null);
  const ids = stages.map(({ id }) => id);
  const edited = stages.find(({ id }) => id === editedId);

  /** Resolves to true if the stage moved. */
  const move = async ({ id, stage }: Stage, toIndex: number): Promise<boolean> => {
    if (toIndex < 0 || toIndex >= ids.length || toIndex === ids.indexOf(id)) return false;
    const others = ids.filter((other) => other !== id);
    if (!(await succeededOrToast(gemba.reorderStages(mapId, others.toSpliced(toIndex, 0, id))))) return false;
    setGroup((open) => (open === undefined ? undefined : groupIndexOf(toIndex)));
    announce(stageTexts.moved(stage, toIndex + 1, ids.length));
    return true;
  };
  const moveByKey = async (stage: Stage, toIndex: number) => {
    if (toIndex < 0 || toIndex >= ids.length) return;
    idMovedByKey.current = stage.id;
    const hasMoved = await move(stage, toIndex);
    // Forgets the id after a refused move. Otherwise a later move by another device would focus this stage's handle.
    if (!hasMoved && idMovedByKey.current === stage.id) idMovedByKey.current = null;
  };
  // The handle of a row loses the focus when the row moves in the DOM. This effect focuses the handle again.
  useLayoutEffect(() => {
    const handle = idMovedByKey.current === null ? null : document.getElementById(`handle-${idMovedByKey.current}`);
    handle?.focus();
    if (handle) idMovedByKey.current = null;
  }, [ids.join(), group]);

  return (
    <>
      <FoldedList
        label={texts.map.stages}
        items={stages}
        nameOf={({ stage }) => stage}
        positionOf={({ order }) => order}
        group={group}
        onGroup={setGroup}
      >
        {(shown, isSearch) => (
          <StageRows
            stages={shown}
            firstIndex={isSearch ? undefined : Math.max(0, ids.indexOf(shown[0]?.id ?? 0))}
            move={move}
            onMoveByKey={(stage, toIndex) => void moveByKey(stage, toIndex)}
            onEdit={({ id }) => setEditedId(id)}
          />
        )}
      </FoldedList>
      <p class="visually-hidden" role="status">
        {announcement}
      </p>
      <StageDialog
        mapId={mapId}
        stage={edited}
        open={isAdding || edited !== undefined}
        stageCount={stages.length}
        move={(stage, toIndex) => void move(stage, toIndex)}
        onClose={() => {
          setEditedId(undefined);
          onAdded();
        }}
      />
    </>
  );
}
