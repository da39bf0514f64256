/** Shows one row for each stage, with a handle by which a person moves the stage. */
import type { Stage } from '../../../client.ts';
import { Icon } from '../../ui/icon.tsx';
import { List } from '../../ui/list.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { WorkTypeLabel } from '../../ui/work-type.tsx';
import { numberText } from '../../text/format.ts';
import { stageTexts } from '../../text/phone-on-demand.ts';
import { texts } from '../../text/texts.ts';
import { workAndWaitText } from '../maps/value-stream.tsx';
import { useRowDrag } from './use-row-drag.ts';

const stageRowHeight = 96;

interface StageRowsProps {
  stages: readonly Stage[];
  /** The first row's index among the map's stages; undefined for a search's results, which a person cannot move. */
  firstIndex: number | undefined;
  move(stage: Stage, toIndex: number): Promise<unknown>;
  onMoveByKey(stage: Stage, toIndex: number): void;
  onEdit(stage: Stage): void;
}

export function StageRows({ stages, firstIndex, move, onMoveByKey, onEdit }: StageRowsProps) {
  const drag = useRowDrag({
    order: stages.map(({ id }) => id).join(),
    count: stages.length,
    rowHeight: stageRowHeight,
    moveRow: async (from, to) => {
      const stage = stages[from];
      if (stage && firstIndex !== undefined) await move(stage, firstIndex + to);
    },
  });
  const moveByKey = (event: KeyboardEvent, stage: Stage, index: number) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    onMoveByKey(stage, index + by);
  };
  return (
    <List
      label={texts.map.stages}
      items={stages}
      rowHeight={stageRowHeight}
      keyOf={({ id }) => id}
      row={(stage, row) => (
        <div
          class={`list-row stage-row${drag.isHeld(row) ? ' stage-held' : ''}${firstIndex === undefined ? ' stage-found' : ''}`}
          style={drag.styleOf(row)}
        >
          {firstIndex !== undefined && (
            <button
              type="button"
              id={`handle-${stage.id}`}
              class="stage-handle"
              aria-label={stageTexts.move(stage.stage)}
              title={stageTexts.moveHint}
              onKeyDown={(event) => moveByKey(event, stage, firstIndex + row)}
              {...drag.handlersOf(row)}
            >
              <Icon name="grip" />
            </button>
          )}
          <button type="button" class="list-text row-button" onClick={() => onEdit(stage)}>
            <span class="list-name">
              {numberText(stage.order)}. {stage.stage}
            </span>
            <span class="soft small">
              <WorkTypeLabel type={stage.work_type} /> · <TimeText>{workAndWaitText(stage)}</TimeText>
            </span>
          </button>
        </div>
      )}
    />
  );
}
