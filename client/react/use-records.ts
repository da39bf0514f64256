/**
 * Hooks for what the engine shows. Each returns the newest value, and undefined before the first one: on a server, while
 * a page hydrates, and with `useCustody` and `useAttention` until their code is loaded. A hook without an id returns
 * undefined.
 */
import type { Attention, Custody, Recording, Status } from '../client.ts';
import { ObservedById, observedOf } from './observed-cache.ts';
import { useGemba } from './provider.ts';
import { nothing, useNewest } from './use-observed.ts';

const mapById = new ObservedById((gemba, mapId: string) => gemba.map$(mapId));
const runsOfMap = new ObservedById((gemba, mapId: string) => gemba.runs$(mapId));
const runById = new ObservedById((gemba, runId: number) => gemba.run$(runId));
const custodyOf = new ObservedById((gemba, recordingSessionId: string) => gemba.custody$(recordingSessionId));

/** Returns the maps that are not deleted, newest first. */
export const useMaps = () => useNewest(observedOf(useGemba().maps$));

/** Returns the maps in the recycle bin. */
export const useDeletedMaps = () => useNewest(observedOf(useGemba().deletedMaps$));

/** Returns a map with its stages, and undefined if there is none. */
export const useMap = (mapId: string | undefined) => useNewest(useById(mapById, mapId));

/** Returns the runs of a map, newest first. */
export const useRuns = (mapId: string | undefined) => useNewest(useById(runsOfMap, mapId));

/** Returns a run with its steps, and undefined if there is none. */
export const useRun = (runId: number | undefined) => useNewest(useById(runById, runId));

/** Returns how far the sync is, and what waits. */
export const useStatus = (): Status | undefined => useNewest(observedOf(useGemba().status$));

/** Returns the refused mutations that wait for a decision of a person. */
export const useAttention = (): Attention[] | undefined => useNewest(observedOf(useGemba().attention$));

/** Returns the recording under way, or null. */
export const useRecording = (): Recording | null | undefined => useNewest(observedOf(useGemba().recording$));

/** Returns 'server' once a pull has proven that the server has the recording, and 'device' before. */
export const useCustody = (recordingSessionId: string | undefined): Custody | undefined =>
  useNewest(useById(custodyOf, recordingSessionId));

function useById<Id, Value>(byId: ObservedById<Id, Value>, id: Id | undefined) {
  const gemba = useGemba();
  return id === undefined ? nothing : byId.of(gemba, id);
}
