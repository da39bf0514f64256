import type { Gemba } from '../../client/client.ts';
import { current } from './devices.ts';

/** Everything that a device shows of an account. */
export async function shownBy(gemba: Gemba) {
  const maps = [...(await current(gemba.maps$)), ...(await current(gemba.deletedMaps$))];
  return Promise.all(
    maps.map(async ({ id }) => {
      const runs = await current(gemba.runs$(id));
      return {
        map: await current(gemba.map$(id)),
        runs: await Promise.all(runs.map((run) => current(gemba.run$(run.id)))),
      };
    }),
  );
}
