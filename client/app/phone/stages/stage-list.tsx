/**
 * Lists the stages of a map. A stage moves by dragging its handle, by arrow keys on the handle, or by buttons in its
 * dialog. Screen readers announce the new position.
 */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Stage } from '../../../../shared/schema/stage.ts';
import { Icon } from '../../ui/icon.tsx';
import { List } from '../../ui/list.tsx';
import { WorkTypeLabel } from '../../ui/work-type.tsx';
import { useGemba } from '../../shell/engine.tsx';
import { numberText } from '../../text/format.ts';
import { TimeText } from '../../ui/time-text.tsx';
import { texts } from '../../text/texts.ts';
import { StageDialog } from './stage-dialog.tsx';
import { succeededOrToast } from '../succeeded-or-toast.ts';
import { useDrag } from './use-drag.ts';
import { timesText } from '../maps/value-stream.tsx';
import { stageTexts } from '../../text/phone-on-demand.ts';

const rowHeight = 96;

interface StageListProps {
  mapId: string;
  stages: Stage[];
  isAdding: boolean;
  onAdded(): void;
}

export function StageList({ mapId, stages, isAdding, onAdded }: StageListProps) {
  const gemba = useGemba();
  const [editedId, setEditedId] = useState<number>();
  const [announcement, announce] = useState('');
  const movedByKey = useRef<number | null>(null);
  const ids = stages.map(({ id }) => id);
  const edited = stages.find(({ id }) => id === editedId);

  const move = async ({ id, stage }: Stage, toIndex: number) => {
    if (toIndex < 0 || toIndex >= ids.length || toIndex === ids.indexOf(id)) return;
    const others = ids.filter((other) => other !== id);
    if (await succeededOrToast(gemba.reorderStages(mapId, others.toSpliced(toIndex, 0, id)))) {
      announce(stageTexts.moved(stage, toIndex + 1, ids.length));
    }
  };
  const drag = useDrag({
    order: ids.join(),
    count: ids.length,
    rowHeight,
    moveRow: async (fromIndex, toIndex) => {
      const stage = stages[fromIndex];
      if (stage) await move(stage, toIndex);
    },
  });
  const moveByKey = (event: KeyboardEvent, stage: Stage, index: number) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    movedByKey.current = stage.id;
    void move(stage, index + by);
  };
  // Moving a row in the DOM takes the focus from its handle, so the handle is focused again.
  useLayoutEffect(() => {
    if (movedByKey.current !== null) document.getElementById(`handle-${movedByKey.current}`)?.focus();
    movedByKey.current = null;
  }, [ids.join()]);

  return (
    <>
      <List
        label={texts.map.stages}
        items={stages}
        rowHeight={rowHeight}
        keyOf={({ id }) => id}
        row={(stage, index) => (
          <div class={`list-row stage-row${drag.isHeld(index) ? ' stage-held' : ''}`} style={drag.styleOf(index)}>
            <button
              type="button"
              id={`handle-${stage.id}`}
              class="stage-handle"
              aria-label={stageTexts.move(stage.stage)}
              title={stageTexts.moveHint}
              onKeyDown={(event) => moveByKey(event, stage, index)}
              {...drag.handlersOf(index)}
            >
              <Icon name="grip" />
            </button>
            <button type="button" class="list-text row-button" onClick={() => setEditedId(stage.id)}>
              <span class="list-name">
                {numberText(stage.order)}. {stage.stage}
              </span>
              <span class="soft small">
                <WorkTypeLabel type={stage.work_type} /> · <TimeText>{timesText(stage)}</TimeText>
              </span>
            </button>
          </div>
        )}
      />
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
