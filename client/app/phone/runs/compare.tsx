/** Runs side by side: their bars, and for each stage what it took. All of it is made on the device. */
import { combineLatest, of as just } from 'rxjs';
import { switchMap } from 'rxjs/operators';
import type { Comparison, RunDoc } from '../../../../shared/schema/run.ts';
import { median, stageKey, type Gemba } from '../../../client.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Screen } from '../../ui/screen.tsx';
import { WorkTypeMark, workTypes } from '../../ui/work-type.tsx';
import { useGemba, useValueOf } from '../../shell/engine.tsx';
import { Link } from '../../shell/router.tsx';
import { duration, narrowDuration, number } from '../../text/format.ts';
import { texts } from '../../text/texts.ts';
import { phoneTexts } from '../../text/phone.ts';
import { Yamazumi, type Bar } from '../maps/yamazumi.tsx';

const { compare: compareTexts } = phoneTexts;

export function Compare({ mapId, ids }: { mapId: string; ids: number[] }) {
  const gemba = useGemba();
  const compared = useValueOf(() => compared$(gemba, ids), [gemba, ids.join()]);
  const back = ['/maps', mapId, 'choose', ...(ids.length > 0 ? [ids.join()] : [])].join('/');
  if (!compared) return <Screen title={compareTexts.title} back={back} children={null} />;
  const { bars, comparison } = compared;
  return (
    <Screen title={compareTexts.title} back={back}>
      {bars.length < ids.length && <p class="card">{compareTexts.missing(ids.length - bars.length)}</p>}
      {bars.length === 0 ? (
        <EmptyState title={compareTexts.emptyTitle} text={compareTexts.emptyText} />
      ) : (
        <>
          <Yamazumi bars={bars} />
          <h2>{texts.map.stages}</h2>
          <Figures bars={bars} comparison={comparison} />
        </>
      )}
    </Screen>
  );
}

interface Compared {
  bars: Bar[];
  comparison: Comparison;
}

/** Anew whenever one of them changes; those that were deleted are left out. The oldest comes first. */
const compared$ = (gemba: Gemba, ids: number[]) =>
  (ids.length > 0 ? combineLatest(ids.map((id) => gemba.run$(id))) : just([])).pipe(
    switchMap(async (found): Promise<Compared> => {
      const runs = found.filter((run) => run !== undefined).toSorted((a, b) => a.number - b.number);
      if (runs.length === 0) return { bars: [], comparison: { runs: [], stages: [] } };
      const comparison = await gemba.compareRuns(runs.map(({ id }) => id));
      return { bars: runs.map((run) => barOf(run, comparison)), comparison };
    }),
  );

/** What a run spent on a stage has a segment for each work type that it had there. */
function barOf({ id, map_id, number: nth, total_time_secs, steps }: RunDoc, { stages }: Comparison): Bar {
  const segments = stages.flatMap(({ stage_name }, stage) => {
    const its = steps.filter((step) => stageKey(step.stage_name) === stageKey(stage_name));
    return workTypes.flatMap((type) => {
      const ofType = its.filter(({ work_type }) => work_type === type);
      const secs = ofType.reduce((sum, { duration_secs }) => sum + duration_secs, 0);
      return ofType.length > 0 ? [{ stage, type, secs }] : [];
    });
  });
  return { id, map_id, number: nth, secs: total_time_secs, segments };
}

/** The picture as a table, for those who hear it or want to know exactly, after what the stages took in all. */
function Figures({ bars, comparison }: Compared) {
  const totals = bars.map(({ secs }) => secs).toSorted((a, b) => a - b);
  const average = totals.reduce((sum, secs) => sum + secs, 0) / totals.length;
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
                <Link href={`/maps/${map_id}/runs/${id}`}>{phoneTexts.runs.run(nth)}</Link>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {comparison.stages.map(({ stage_name, runs, min_secs, avg_secs, median_secs, max_secs }, stage) => (
            <tr key={stage_name}>
              <th scope="row">
                {number(stage + 1)}. {stage_name}
                {runs < bars.length && <span class="soft"> {compareTexts.inSome(runs, bars.length)}</span>}
              </th>
              <Cells secs={[min_secs, avg_secs, median_secs, max_secs]} />
              {bars.map(({ id, segments }) => (
                <td key={id}>
                  <Spent segments={segments.filter((segment) => segment.stage === stage)} />
                </td>
              ))}
            </tr>
          ))}
          <tr>
            <th scope="row">{compareTexts.whole}</th>
            <Cells secs={[totals[0]!, average, median(totals), totals.at(-1)!]} />
            <Cells secs={bars.map(({ secs }) => secs)} />
          </tr>
        </tbody>
      </table>
    </div>
  );
}

const Cells = ({ secs }: { secs: number[] }) => (
  <>
    {secs.map((value, index) => (
      <td key={index}>
        <Secs of={value} />
      </td>
    ))}
  </>
);

/** Its unit is short for the eye, and a word for the ear. */
const Secs = ({ of }: { of: number }) => (
  <>
    <span aria-hidden="true">{narrowDuration(of)}</span>
    <span class="heard">{duration(of)}</span>
  </>
);

const Spent = ({ segments }: Pick<Bar, 'segments'>) => (
  <>
    {segments.length === 0 && phoneTexts.none}
    {segments.map(({ type, secs }) => (
      <p key={type} class="compare-spent">
        <WorkTypeMark type={type} />
        <span class="heard">{texts.workTypes[type]} </span>
        <Secs of={secs} />
      </p>
    ))}
  </>
);
