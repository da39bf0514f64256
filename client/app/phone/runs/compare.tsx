/** Compares runs in a chart and a table. The device computes the figures itself. */
import { combineLatest, of } from 'rxjs';
import { switchMap } from 'rxjs/operators';
import type { Comparison, RunDoc } from '../../../../shared/schema/run.ts';
import { stageKey, type Gemba } from '../../../client.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Screen } from '../../ui/screen.tsx';
import { WorkTypeMark, workTypes } from '../../ui/work-type.tsx';
import { useGemba, useValueOf } from '../../shell/engine.tsx';
import { Link } from '../../shell/router.tsx';
import { durationText, numberText } from '../../text/format.ts';
import { texts } from '../../text/texts.ts';
import { phoneTexts } from '../../text/phone.ts';
import { compareTexts, runsTexts } from '../../text/phone-on-demand.ts';
import { Yamazumi, type RunBar } from './yamazumi.tsx';

export function CompareScreen({ mapId, ids }: { mapId: string; ids: number[] }) {
  const gemba = useGemba();
  const compared = useValueOf(() => comparedRuns$(gemba, ids), [gemba, ids.join()]);
  const back = ['/maps', mapId, 'choose', ...(ids.length > 0 ? [ids.join()] : [])].join('/');
  if (compared === undefined) return <Screen title={compareTexts.title} back={back} children={null} />;
  const bars = compared?.bars ?? [];
  return (
    <Screen title={compareTexts.title} back={back}>
      {bars.length < ids.length && <p class="card">{compareTexts.missing(ids.length - bars.length)}</p>}
      {compared === null ? (
        <EmptyState title={compareTexts.emptyTitle} text={compareTexts.emptyText} />
      ) : (
        <>
          <Yamazumi bars={bars} />
          <h2>{texts.map.stages}</h2>
          <FiguresTable {...compared} />
        </>
      )}
    </Screen>
  );
}

interface ComparedRuns {
  bars: RunBar[];
  comparison: Comparison;
}

/**
 * Emits the runs to compare, oldest first and without deleted runs, and again when a run changes; null if no run is
 * left.
 */
const comparedRuns$ = (gemba: Gemba, ids: number[]) =>
  (ids.length > 0 ? combineLatest(ids.map((id) => gemba.run$(id))) : of([])).pipe(
    switchMap(async (found): Promise<ComparedRuns | null> => {
      const runs = found.filter((run) => run !== undefined).toSorted((a, b) => a.number - b.number);
      if (runs.length === 0) return null;
      const comparison = await gemba.compareRuns(runs.map(({ id }) => id));
      return { bars: runs.map((run) => barOf(run, comparison)), comparison };
    }),
  );

/** Makes the bar of a run. Each stage has one segment for each work type that its steps have. */
function barOf({ id, map_id, number: nth, total_time_secs, steps }: RunDoc, { stages }: Comparison): RunBar {
  const segments = stages.flatMap(({ stage_name }, stage) => {
    const ofStage = steps.filter((step) => stageKey(step.stage_name) === stageKey(stage_name));
    return workTypes.flatMap((type) => {
      const ofType = ofStage.filter(({ work_type }) => work_type === type);
      const secs = ofType.reduce((sum, { duration_secs }) => sum + duration_secs, 0);
      return ofType.length > 0 ? [{ stage, type, secs }] : [];
    });
  });
  return { id, map_id, number: nth, secs: total_time_secs, segments };
}

/** The chart as a table, for screen readers and exact figures. */
function FiguresTable({ bars, comparison }: ComparedRuns) {
  const { totals } = comparison;
  return (
    <div class="compare-scroll card" role="region" aria-label={compareTexts.table} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{compareTexts.stage}</th>
            {compareTexts.figures.map((figure) => (
              <th key={figure} scope="col">
                {figure}
              </th>
            ))}
            {bars.map(({ id, map_id, number: nth }) => (
              <th key={id} scope="col">
                <Link href={`/maps/${map_id}/runs/${id}`}>{runsTexts.run(nth)}</Link>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {comparison.stages.map(({ stage_name, runs, min_secs, avg_secs, median_secs, max_secs }, stage) => (
            <tr key={stage_name}>
              <th scope="row">
                {numberText(stage + 1)}. {stage_name}
                {runs < bars.length && <span class="soft"> {compareTexts.inSome(runs, bars.length)}</span>}
              </th>
              <DurationCells secs={[min_secs, avg_secs, median_secs, max_secs]} />
              {bars.map(({ id, segments }) => (
                <td key={id}>
                  <StageTimes segments={segments.filter((segment) => segment.stage === stage)} />
                </td>
              ))}
            </tr>
          ))}
          <tr>
            <th scope="row">{compareTexts.whole}</th>
            <DurationCells secs={[totals.min_secs, totals.avg_secs, totals.median_secs, totals.max_secs]} />
            <DurationCells secs={bars.map(({ secs }) => secs)} />
          </tr>
        </tbody>
      </table>
    </div>
  );
}

const DurationCells = ({ secs }: { secs: number[] }) => (
  <>
    {secs.map((value, index) => (
      <td key={index}>{durationText(value)}</td>
    ))}
  </>
);

const StageTimes = ({ segments }: Pick<RunBar, 'segments'>) => (
  <>
    {segments.length === 0 && phoneTexts.none}
    {segments.map(({ type, secs }) => (
      <p key={type} class="compare-spent">
        <WorkTypeMark type={type} />
        <span class="visually-hidden">{texts.workTypes[type]} </span>
        {durationText(secs)}
      </p>
    ))}
  </>
);
