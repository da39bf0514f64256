import { useGemba, useValue } from '../../shell/engine.tsx';

/** Returns how many runs of the map are on the server, but not on this device. */
export function useServerOnlyRunCount(mapId: string): number {
  return useValue(useGemba().runsOnServer$)?.ofMap.get(mapId) ?? 0;
}
