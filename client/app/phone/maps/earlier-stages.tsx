/** Lists the stages that a map had before each replacement of its stages, and restores such stages after a preview. */
import type { FullMap } from '../../../client.ts';
import { useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { WorkTypeMark } from '../../ui/work-type.tsx';
import { earlierStagesOf } from '../../shell/earlier-stages.ts';
import { dateTimeText } from '../../text/format.ts';
import { earlierStagesTexts, replaceStagesTexts } from '../../text/phone-maps.ts';
import { useReplaceStages } from '../runs/use-replace-stages.ts';
import { stageReplacementOf } from './map-copy.ts';
import { workAndWaitText } from './value-stream.tsx';

/** The preview lists at most this many stages, and says how many others there are. */
const shownStagesMax = 100;

interface EarlierStagesProps {
  map: FullMap;
  onClose(): void;
}

export function EarlierStagesDialog({ open, ...props }: EarlierStagesProps & { open: boolean }) {
  return (
    <Dialog open={open} title={earlierStagesTexts.title} onClose={props.onClose}>
      <EarlierStagesList {...props} />
    </Dialog>
  );
}

function EarlierStagesList({ map, onClose }: EarlierStagesProps) {
  const [lists] = useState(() => earlierStagesOf(map));
  const { isSaving, save } = useReplaceStages(map, onClose);
  if (lists.length === 0) return <p>{earlierStagesTexts.none}</p>;
  return (
    <>
      <p class="soft">{earlierStagesTexts.here}</p>
      {lists.map(({ stages, run_number, replaced_at }) => (
        <details key={replaced_at} class="card study-details">
          <summary>
            {dateTimeText(replaced_at)} · {earlierStagesTexts.before(stages.length, run_number)}
          </summary>
          <div class="stack">
            <ol class="times-change" role="list" aria-label={earlierStagesTexts.title}>
              {stages.slice(0, shownStagesMax).map((stage) => (
                <li key={stage.id}>
                  <WorkTypeMark type={stage.work_type} /> <bdi>{stage.stage}</bdi>{' '}
                  <span class="soft small">
                    <TimeText>{workAndWaitText(stage)}</TimeText>
                  </span>
                </li>
              ))}
            </ol>
            {stages.length > shownStagesMax && <p>{replaceStagesTexts.more(stages.length - shownStagesMax)}</p>}
            <Button
              look="primary"
              wide
              disabled={isSaving}
              onClick={() => void save(stages.map(stageReplacementOf), earlierStagesTexts.restored)}
            >
              {earlierStagesTexts.restore}
            </Button>
          </div>
        </details>
      ))}
    </>
  );
}
