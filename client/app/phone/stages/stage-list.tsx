/**
 * The stages of a map in their order. One moves by dragging its handle, by the arrow keys on it, or by the buttons in its
 * dialog; where it came to is said aloud.
 */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Stage } from '../../../../shared/schema/stage.ts';
import { Icon } from '../../ui/icon.tsx';
import { List } from '../../ui/list.tsx';
import { WorkTypeBadge } from '../../ui/work-type.tsx';
import { useGemba } from '../../shell/engine.tsx';
import { number } from '../../text/format.ts';
import { texts } from '../../text/texts.ts';
import { StageDialog } from './stage-dialog.tsx';
import { tried } from '../tried.ts';
import { useDrag } from './use-drag.ts';
import { timesOf } from '../maps/value-stream.tsx';
import { phoneTexts } from '../../text/phone.ts';

const rowHeight = 96;

interface StageListProps {
  mapId: string;
  stages: Stage[];
  adding: boolean;
  onAdded(): void;
}

export function StageList({ mapId, stages, adding, onAdded }: StageListProps) {
  const gemba = useGemba();
  const [editedId, edit] = useState<number>();
  const [said, say] = useState('');
  const held = useRef<number | null>(null);
  const ids = stages.map(({ id }) => id);
  const edited = stages.find(({ id }) => id === editedId);

  /** `to` counts from 0. */
  const move = async ({ id, stage }: Stage, to: number) => {
    if (to < 0 || to >= ids.length || to === ids.indexOf(id)) return;
    const others = ids.filter((other) => other !== id);
    if (await tried(gemba.reorderStages(mapId, others.toSpliced(to, 0, id)))) {
      say(phoneTexts.stage.moved(stage, to + 1, ids.length));
    }
  };
  const drag = useDrag({
    order: ids.join(),
    count: ids.length,
    rowHeight,
    drop: (from, to) => move(stages[from]!, to),
  });
  const moveByKey = (event: KeyboardEvent, stage: Stage, index: number) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    held.current = stage.id;
    void move(stage, index + by);
  };
  // The element moves with its row, and a moved one loses the focus.
  useLayoutEffect(() => {
    if (held.current !== null) document.getElementById(`handle-${held.current}`)?.focus();
    held.current = null;
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
              aria-label={phoneTexts.stage.move(stage.stage)}
              title={phoneTexts.stage.moveHint}
              onKeyDown={(event) => moveByKey(event, stage, index)}
              {...drag.handlersOf(index)}
            >
              <Icon name="grip" />
            </button>
            <button type="button" class="list-text stage-open" onClick={() => edit(stage.id)}>
              <span class="list-name">
                {number(stage.order)}. {stage.stage}
              </span>
              <span class="soft small">{timesOf(stage)}</span>
            </button>
            <WorkTypeBadge type={stage.work_type} />
          </div>
        )}
      />
      <p class="heard" role="status">
        {said}
      </p>
      <StageDialog
        mapId={mapId}
        stage={edited}
        open={adding || edited !== undefined}
        count={stages.length}
        move={(stage, to) => void move(stage, to)}
        onClose={() => {
          edit(undefined);
          onAdded();
        }}
      />
    </>
  );
}
