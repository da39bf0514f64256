/** A button that sets a map's times to the medians of runs. A dialog shows the changes before they are saved. */
import { useState } from 'preact/hooks';
import type { FullMap } from '../../../../shared/schema/map.ts';
import type { RunDoc } from '../../../../shared/schema/run.ts';
import { Commands } from '../../ui/commands.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useGemba, useValueOf } from '../../shell/engine.tsx';
import { durationText } from '../../text/format.ts';
import { hoursText } from '../../text/phone-hours.ts';
import { TimeText } from '../../ui/time-text.tsx';
import { mapTimesTexts } from '../../text/phone-runs.ts';
import { succeededOrToast } from '../succeeded-or-toast.ts';
import { proposeMapChange, stagesWithTimes, type MapChange, type MedianTime } from './map-change.ts';
import { useReplaceStages } from './use-replace-stages.ts';

interface ApplyTimesButtonProps {
  label: string;
  mapId: string;
  runs: RunDoc[];
}

export function ApplyTimesButton({ label, mapId, runs }: ApplyTimesButtonProps) {
  const gemba = useGemba();
  const map = useValueOf(() => gemba.map$(mapId), [gemba, mapId]);
  const [change, setChange] = useState<MapChange>();
  if (!map || map.deleted) return null;
  const ask = () =>
    succeededOrToast(
      gemba
        .compareRuns(runs.map(({ id }) => id))
        .then((comparison) => setChange(proposeMapChange(map.stages, { comparison, runs }))),
    );
  return (
    <>
      <Commands commands={[{ label, run: () => void ask() }]} />
      <Dialog open={change !== undefined} title={mapTimesTexts.ask(map.name)} onClose={() => setChange(undefined)}>
        {change && (
          <ApplyTimesQuestion
            map={map}
            change={change}
            areMedians={runs.length > 1}
            onClose={() => setChange(undefined)}
          />
        )}
      </Dialog>
    </>
  );
}

interface ApplyTimesQuestionProps {
  map: Pick<FullMap, 'id' | 'stages'>;
  change: MapChange;
  /** False if the times are those of a single run. */
  areMedians: boolean;
  onClose(): void;
}

function ApplyTimesQuestion({ map, change, areMedians, onClose }: ApplyTimesQuestionProps) {
  const { updates, additions, keptCount } = change;
  const timeText = ({ secs, runs }: MedianTime) =>
    areMedians ? mapTimesTexts.median(durationText(secs), runs) : durationText(secs);
  const { isSaving, save } = useReplaceStages(map, onClose);
  if (updates.length + additions.length === 0) return <p>{mapTimesTexts.same}</p>;
  return (
    <>
      <ul class="times-change" role="list">
        {updates.map(({ stage, time }) => (
          <li key={stage.id}>
            <TimeText>{mapTimesTexts.update(stage.stage, hoursText(stage.cycle_time_hrs), timeText(time))}</TimeText>
          </li>
        ))}
        {additions.map(({ name, time }) => (
          <li key={name}>
            <TimeText>{mapTimesTexts.addition(name, timeText(time))}</TimeText>
          </li>
        ))}
      </ul>
      <p class="soft">{mapTimesTexts.kept(keptCount)}</p>
      <Button
        look="primary"
        wide
        disabled={isSaving}
        onClick={() => save(stagesWithTimes(map.stages, change), mapTimesTexts.changed)}
      >
        {mapTimesTexts.save}
      </Button>
    </>
  );
}
