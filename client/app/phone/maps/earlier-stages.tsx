/** Offers the stages that a map had before they were replaced, with a look at each list before it is restored. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { FullMap } from '../../../../shared/schema/map.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { WorkTypeMark } from '../../ui/work-type.tsx';
import { earlierStagesOf, type EarlierStages } from '../../shell/earlier-stages.ts';
import { dateTimeText } from '../../text/format.ts';
import { earlierTexts } from '../../text/phone-maps.ts';
import { useReplaceStages } from '../runs/use-replace-stages.ts';
import { replacementOf } from './map-copy.ts';
import { timesText } from './value-stream.tsx';

/** The preview shows this many stages, and counts the rest. */
const shownStagesMax = 100;

interface EarlierStagesProps {
  map: FullMap;
  onClose(): void;
}

export function EarlierStagesDialog({ open, ...props }: EarlierStagesProps & { open: boolean }) {
  return (
    <Dialog open={open} title={earlierTexts.title} onClose={props.onClose}>
      <EarlierStagesList {...props} />
    </Dialog>
  );
}

function EarlierStagesList({ map, onClose }: EarlierStagesProps) {
  const [lists] = useState(() => earlierStagesOf(map));
  const [chosen, setChosen] = useState<EarlierStages>();
  const { isSaving, save } = useReplaceStages(map, onClose);
  if (lists.length === 0) return <p>{earlierTexts.none}</p>;
  if (!chosen) {
    return (
      <>
        <p class="soft">{earlierTexts.here}</p>
        <ul class="command-list" role="list">
          {lists.map((list) => (
            <li key={list.replaced_at}>
              <Button wide onClick={() => setChosen(list)}>
                <span class="list-text">
                  <span class="list-name">{dateTimeText(list.replaced_at)}</span>
                  <span class="soft small">{earlierTexts.before(list.stages.length, list.run_number)}</span>
                </span>
              </Button>
            </li>
          ))}
        </ul>
      </>
    );
  }
  return (
    <>
      <EarlierStagesPreview list={chosen} />
      <p>{earlierTexts.replaces(map.stages.length)}</p>
      <Button
        look="primary"
        wide
        disabled={isSaving}
        onClick={() => void save(chosen.stages.map(replacementOf), earlierTexts.restored)}
      >
        {earlierTexts.restore}
      </Button>
      {lists.length > 1 && (
        <Button wide onClick={() => setChosen(undefined)}>
          {earlierTexts.others}
        </Button>
      )}
    </>
  );
}

function EarlierStagesPreview({ list: { stages, run_number, replaced_at } }: { list: EarlierStages }) {
  const head = useRef<HTMLParagraphElement>(null);
  // The button that opened the preview is gone, and the focus with it.
  useLayoutEffect(() => head.current?.focus(), []);
  return (
    <>
      <p ref={head} tabIndex={-1}>
        {dateTimeText(replaced_at)} · {earlierTexts.before(stages.length, run_number)}
      </p>
      <ol class="times-change" role="list" aria-label={earlierTexts.title}>
        {stages.slice(0, shownStagesMax).map((stage) => (
          <li key={stage.id}>
            <WorkTypeMark type={stage.work_type} /> <bdi>{stage.stage}</bdi>{' '}
            <span class="soft small">
              <TimeText>{timesText(stage)}</TimeText>
            </span>
          </li>
        ))}
      </ol>
      {stages.length > shownStagesMax && <p class="soft">{earlierTexts.more(stages.length - shownStagesMax)}</p>}
    </>
  );
}
