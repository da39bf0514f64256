/** The list of a map's runs and the list of its stages. A desk shows one list at a time, and a print shows both. */
import { useState } from 'preact/hooks';
import { runsPerCompareMax, type FullMap } from '../../client.ts';
import { useGemba, useValueOf } from '../shell/engine.tsx';
import { Link, usePath } from '../shell/router.tsx';
import { Button } from '../ui/button.tsx';
import { List } from '../ui/list.tsx';
import { RadioGroup } from '../ui/radio-group.tsx';
import { useOnDemandModule, type OnDemandModule } from '../phone/use-on-demand.tsx';
import { deskTexts } from '../text/desk.ts';
import { phoneTexts } from '../text/phone.ts';
import { newestRunIdsOf, useMarks } from './marks.ts';

const runRowHeight = 88;
export const runsPerCompareMin = 2;

export function MapLists({ map }: { map: FullMap }) {
  const [shown, setShown] = useState<keyof typeof deskTexts.lists>(map.run_count > 0 ? 'runs' : 'stages');
  const onDemand = useOnDemandModule();
  if (!onDemand) return null;
  return (
    <>
      <div class="desk-lists">
        <RadioGroup label={deskTexts.list} labelHidden options={deskTexts.lists} value={shown} onValue={setShown} />
      </div>
      <div class={`stack${shown === 'runs' ? '' : ' print-only'}`}>
        <RunsOfMap map={map} onDemand={onDemand} />
      </div>
      <div class={`stack${shown === 'stages' ? '' : ' print-only'}`}>
        <onDemand.StageSection map={map} />
      </div>
    </>
  );
}

function RunsOfMap({ map, onDemand }: { map: FullMap; onDemand: OnDemandModule }) {
  const { id: mapId } = map;
  const gemba = useGemba();
  const path = usePath();
  const marks = useMarks();
  const runs = useValueOf(() => gemba.runs$(mapId), [gemba, mapId]) ?? [];
  const [filter, setFilter] = useState(onDemand.noFilter);
  const marked = marks.ofMap(mapId).filter((id) => runs.some((run) => run.id === id));
  const shown = onDemand.filterAndSortRuns(runs, filter);
  const includedCount = shown.filter(({ excluded }) => !excluded).length;
  const newest = newestRunIdsOf(shown);
  const olderRuns = <onDemand.RunsOnServerCard map={map} runs={runs} />;
  if (runs.length === 0) return map.run_count > 0 ? olderRuns : <p class="soft">{phoneTexts.runs.never}</p>;
  return (
    <>
      <h2 class="print-only">{deskTexts.lists.runs}</h2>
      <div class="desk-marked">
        <p role="status">{deskTexts.marked(marked.length, runs.length)}</p>
        <Button
          class="desk-mark-all"
          title={deskTexts.keys.markAll}
          onClick={() => marks.set(mapId, marked.length > 0 ? [] : newest)}
        >
          {marked.length > 0 ? deskTexts.unmark : deskTexts.markAll(newest.length, includedCount)}
        </Button>
        <Button
          look="primary"
          disabled={marked.length < runsPerCompareMin}
          title={deskTexts.keys.compare}
          onClick={() => marks.compare(mapId)}
        >
          {deskTexts.compare}
        </Button>
      </div>
      <onDemand.ExportCommand mapId={mapId} sets={{ selected: marked, shown: shown.map(({ id }) => id) }} />
      {olderRuns}
      <onDemand.RunFilterFields runs={runs} filter={filter} onFilter={setFilter} />
      <List
        label={deskTexts.lists.runs}
        items={shown}
        rowHeight={runRowHeight}
        keyOf={({ id }) => id}
        row={(run) => {
          const isMarked = marked.includes(run.id);
          const toggled = isMarked ? marked.filter((id) => id !== run.id) : [...marked, run.id];
          const runPath = `/maps/${mapId}/runs/${run.id}`;
          return (
            <div class="desk-run">
              <label class="desk-mark">
                <input
                  type="checkbox"
                  aria-label={deskTexts.mark(run.number)}
                  checked={isMarked}
                  disabled={!isMarked && marked.length >= runsPerCompareMax}
                  onChange={() => marks.set(mapId, toggled)}
                />
              </label>
              <Link href={runPath} class="list-row" aria-current={path.startsWith(runPath) ? 'true' : undefined}>
                <onDemand.RunSummary run={run} />
              </Link>
            </div>
          );
        }}
      />
    </>
  );
}
