/** The usual times of a map's stages: their medians in its latest runs. */
import { firstValueFrom } from 'rxjs';
import { stageKey, type Gemba } from '../../../client.ts';
import type { MedianSecs } from '../../recorder/recorded-map.ts';

/** More runs say little more about a usual time, and take longer to compare. */
const comparedRunsMax = 20;
/** The median of one run is its time, which is no usual one. */
const runsOfMedianMin = 2;

/** Returns the medians of the stages in the map's latest runs that are not excluded from statistics. */
export async function stageMediansOf(
  gemba: Pick<Gemba, 'map$' | 'runs$' | 'compareRuns'>,
  mapId: string,
): Promise<MedianSecs> {
  const [map, runs] = await Promise.all([firstValueFrom(gemba.map$(mapId)), firstValueFrom(gemba.runs$(mapId))]);
  const compared = runs.filter(({ excluded }) => !excluded).slice(0, comparedRunsMax);
  if (!map || compared.length < runsOfMedianMin) return new Map();
  // A comparison adds up the steps of one name, so it has no median for each of several stages of one name.
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
