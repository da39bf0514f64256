/** The usual time of each stage of a map: the median of the stage's times in the latest runs. */
import { firstValueFrom } from 'rxjs';
import { stageKey, type Gemba } from '../../../client.ts';
import type { MedianSecsByStage } from '../../recorder/recorded-map.ts';

/** More runs would hardly change the medians, and would take longer to compare. */
const comparedRunsMax = 20;
/** A stage with fewer runs has no usual time: the median of one run is only that run's time. */
const runsOfMedianMin = 2;

/** Returns the median for each stage over the map's latest runs, without the excluded runs. */
export async function stageMediansOf(
  gemba: Pick<Gemba, 'map$' | 'runs$' | 'compareRuns'>,
  mapId: string,
): Promise<MedianSecsByStage> {
  const [map, runs] = await Promise.all([firstValueFrom(gemba.map$(mapId)), firstValueFrom(gemba.runs$(mapId))]);
  const compared = runs.filter(({ excluded }) => !excluded).slice(0, comparedRunsMax);
  if (!map || compared.length < runsOfMedianMin) return new Map();
  // A comparison counts steps by name. If two stages share a name, neither gets a median.
  const keys = map.stages.map(({ stage }) => stageKey(stage));
  const isShared = (key: string) => keys.indexOf(key) !== keys.lastIndexOf(key);
  const { stages } = await gemba.compareRuns(compared.map(({ id }) => id));
  return new Map(
    stages.flatMap(({ stage_name, median_secs, runs: count }): [string, number][] => {
      const key = stageKey(stage_name);
      return count < runsOfMedianMin || isShared(key) ? [] : [[key, median_secs]];
    }),
  );
}
