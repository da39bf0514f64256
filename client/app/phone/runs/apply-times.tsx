/** A button that sets the times of a map to the medians of runs, after a dialog has shown what will change. */
import { useState } from 'preact/hooks';
import { Commands } from '../../ui/commands.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { stageKey, type FullMap, type Comparison, type RunDoc } from '../../../client.ts';
import { useGemba, useValueOf } from '../../shell/engine.tsx';
import { durationText } from '../../text/format.ts';
import { hoursText } from '../../text/phone-times.ts';
import { NamedText } from '../../ui/named-text.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { compareRunsTexts, applyTimesTexts } from '../../text/phone-runs.ts';
import { BoxPlot } from '../compare/box-plot.tsx';
import { outlierSecsOf } from '../compare/findings.ts';
import { foldedItemsMin } from '../folded-list.tsx';
import { succeededOrToast } from '../succeeded-or-toast.ts';
import { proposeMedianTimes, stagesWithTimes, type TimesChange, type MedianTime } from './map-change.ts';
import { useReplaceStages } from './use-replace-stages.ts';

interface ApplyTimesButtonProps {
  label: string;
  mapId: string;
  runs: RunDoc[];
}

export function ApplyTimesButton({ label, mapId, runs }: ApplyTimesButtonProps) {
  const gemba = useGemba();
  const map = useValueOf(() => gemba.map$(mapId), [gemba, mapId]);
  const [proposal, setProposal] = useState<TimesProposal>();
  if (!map || map.deleted) return null;
  const ask = () =>
    succeededOrToast(
      gemba
        .compareRuns(runs.map(({ id }) => id))
        .then((comparison) =>
          setProposal({ comparison, change: proposeVisibleChange(map.stages, { comparison, runs }) }),
        ),
    );
  return (
    <>
      <Commands commands={[{ label, run: () => void ask() }]} />
      <Dialog
        open={proposal !== undefined}
        title={applyTimesTexts.ask(map.name)}
        onClose={() => setProposal(undefined)}
      >
        {proposal && (
          <ApplyTimesQuestion
            map={map}
            {...proposal}
            areMedians={runs.length > 1}
            onClose={() => setProposal(undefined)}
          />
        )}
      </Dialog>
    </>
  );
}

interface TimesProposal {
  comparison: Comparison;
  change: TimesChange;
}

/** Returns the proposed change without the updates that would not change the time that the app shows for a stage. */
function proposeVisibleChange(...[stages, given]: Parameters<typeof proposeMedianTimes>): TimesChange {
  const change = proposeMedianTimes(stages, given);
  const updates = change.updates.filter(
    ({ stage, time }) => hoursText(stage.cycle_time_hrs) !== durationText(time.secs),
  );
  return { ...change, updates, keptCount: change.keptCount + change.updates.length - updates.length };
}

interface ApplyTimesQuestionProps extends TimesProposal {
  map: Pick<FullMap, 'id' | 'stages'>;
  /** False if there is a single run, whose times are no medians. */
  areMedians: boolean;
  onClose(): void;
}

function ApplyTimesQuestion({ map, comparison, change, areMedians, onClose }: ApplyTimesQuestionProps) {
  const { updates, additions, keptCount } = change;
  const timeText = ({ secs, runs }: MedianTime) =>
    areMedians ? applyTimesTexts.median(durationText(secs), runs) : durationText(secs);
  const spreadOf = (name: string) =>
    areMedians && (
      <MedianSpread comparison={comparison} name={name} hasPlot={updates.length + additions.length < foldedItemsMin} />
    );
  const { isSaving, save } = useReplaceStages(map, onClose);
  if (updates.length + additions.length === 0) return <p>{applyTimesTexts.same}</p>;
  return (
    <>
      <ul class="times-change" role="list">
        {updates.map(({ stage, time }) => (
          <li key={stage.id}>
            <p>
              <NamedText name={stage.stage}>
                {applyTimesTexts.update(stage.stage, hoursText(stage.cycle_time_hrs), timeText(time))}
              </NamedText>
            </p>
            {spreadOf(stage.stage)}
          </li>
        ))}
        {additions.map(({ name, time }) => (
          <li key={name}>
            <p>
              <NamedText name={name}>{applyTimesTexts.addition(name, timeText(time))}</NamedText>
            </p>
            {spreadOf(name)}
          </li>
        ))}
      </ul>
      <p class="soft">{applyTimesTexts.kept(keptCount)}</p>
      <Button
        look="primary"
        wide
        disabled={isSaving}
        onClick={() => save(stagesWithTimes(map.stages, change), applyTimesTexts.changed)}
      >
        {applyTimesTexts.save}
      </Button>
    </>
  );
}

interface MedianSpreadProps {
  comparison: Comparison;
  /** The name of a stage. */
  name: string;
  /** False in a long list, since many plots would make the dialog slow. */
  hasPlot: boolean;
}

/** Shows the spread of the times behind a median: their range and a box plot. */
function MedianSpread({ comparison: { stages }, name, hasPlot }: MedianSpreadProps) {
  const figures = stages.find(({ stage_name }) => stageKey(stage_name) === stageKey(name));
  if (!figures || figures.runs < 2) return null;
  const { min_secs, max_secs } = figures;
  return (
    <>
      <p class="soft small">
        <TimeText>{compareRunsTexts.range(durationText(min_secs), durationText(max_secs))}</TimeText>
      </p>
      {hasPlot && (
        <BoxPlot
          figures={figures}
          outliersSecs={outlierSecsOf(figures)}
          scaleSecs={Math.max(...stages.map((stage) => stage.max_secs))}
        />
      )}
    </>
  );
}
