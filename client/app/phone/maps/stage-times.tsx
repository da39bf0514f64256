/** Shows the times of one stage in the latest runs of its map. */
import { useEffect, useState } from 'preact/hooks';
import { runsPerCompareMax, stageKey, type StageFigures, type Stage } from '../../../client.ts';
import { Link } from '../../shell/router.tsx';
import { useGemba, useValueOf } from '../../shell/engine.tsx';
import { durationText } from '../../text/format.ts';
import { TimeText } from '../../ui/time-text.tsx';
import { ladderTexts } from '../../text/phone-maps.ts';
import { compareRunsTexts, runsTexts } from '../../text/phone-runs.ts';
import { BoxPlot } from '../compare/box-plot.tsx';
import { LeftOutRunsNote } from '../on-server/runs-on-server-card.tsx';
import { outlierSecsOf } from '../compare/findings.ts';
import { succeededOrToast } from '../succeeded-or-toast.ts';

interface StageTimesProps {
  mapId: string;
  stage: Stage;
}

export function StageTimes({ mapId, stage }: StageTimesProps) {
  const gemba = useGemba();
  const runs = useValueOf(() => gemba.runs$(mapId), [gemba, mapId]);
  const [figures, setFigures] = useState<StageFigures | null>();
  const counted = runs?.filter(({ excluded }) => !excluded).slice(0, runsPerCompareMax);
  const ids = counted?.map(({ id }) => id).join();
  useEffect(() => {
    if (!counted) return;
    if (counted.length === 0) return setFigures(null);
    const compare = async () => {
      const { stages } = await gemba.compareRuns(counted.map(({ id }) => id));
      setFigures(stages.find(({ stage_name }) => stageKey(stage_name) === stageKey(stage.stage)) ?? null);
    };
    void succeededOrToast(compare());
  }, [gemba, ids, stage.stage]);
  if (figures === undefined || !counted) return null;
  if (figures === null) {
    return (
      <>
        <p>{ladderTexts.noRuns}</p>
        <LeftOutRunsNote mapId={mapId} counted={counted.length} />
      </>
    );
  }
  const { median_secs, min_secs, max_secs, runs: count } = figures;
  return (
    <>
      <p>
        <strong>
          {compareRunsTexts.median} <TimeText>{durationText(median_secs)}</TimeText>
        </strong>{' '}
        <span class="soft">
          {compareRunsTexts.n(count)},{' '}
          <TimeText>{compareRunsTexts.range(durationText(min_secs), durationText(max_secs))}</TimeText>
        </span>
      </p>
      <LeftOutRunsNote mapId={mapId} counted={counted.length} />
      <BoxPlot figures={figures} outliersSecs={outlierSecsOf(figures)} scaleSecs={max_secs} />
      <ul class="ladder-runs" role="list" aria-label={runsTexts.title}>
        {figures.per_run.map(({ run_id, secs }) => {
          const run = counted.find(({ id }) => id === run_id);
          return (
            run && (
              <li key={run_id}>
                <Link href={`/maps/${mapId}/runs/${run_id}`}>{runsTexts.named(run.number, run.name)}</Link>
                <span>
                  <TimeText>{durationText(secs)}</TimeText>
                </span>
              </li>
            )
          );
        })}
      </ul>
    </>
  );
}
