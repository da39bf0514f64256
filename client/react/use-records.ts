/**
 * Hooks for the engine's records and state. Each returns the newest value, and undefined before the first one: on a
 * server, while a page hydrates, and in `useCustody` and `useAttention` until their code is loaded. A hook without an
 * id returns undefined.
 */
import type { Attention, Custody, Recording, Status } from '../client.ts';
import { StoresById, storeOf } from './store-cache.ts';
import { useGemba } from './provider.ts';
import { emptyStore, useNewest } from './use-store.ts';

const mapStores = new StoresById((gemba, mapId: string) => gemba.map$(mapId));
const runListStores = new StoresById((gemba, mapId: string) => gemba.runs$(mapId));
const runStores = new StoresById((gemba, runId: number) => gemba.run$(runId));
const custodyStores = new StoresById((gemba, recordingSessionId: string) => gemba.custody$(recordingSessionId));

/** Returns the maps that are not in the recycle bin, newest first. */
export const useMaps = () => useNewest(storeOf(useGemba().maps$));

/** Returns the maps in the recycle bin. */
export const useDeletedMaps = () => useNewest(storeOf(useGemba().deletedMaps$));

/** Returns a map with its stages; undefined if there is none. */
export const useMap = (mapId: string | undefined) => useNewest(useById(mapStores, mapId));

/** Returns the runs of a map, newest first. */
export const useRuns = (mapId: string | undefined) => useNewest(useById(runListStores, mapId));

/** Returns a run with its steps; undefined if there is none. */
export const useRun = (runId: number | undefined) => useNewest(useById(runStores, runId));

/** Returns the status: the state of the sync, and what is pending. */
export const useStatus = (): Status | undefined => useNewest(storeOf(useGemba().status$));

/** Returns the refused mutations that wait for a decision of a person. */
export const useAttention = (): Attention[] | undefined => useNewest(storeOf(useGemba().attention$));

/** Returns the recording under way, or null. */
export const useRecording = (): Recording | null | undefined => useNewest(storeOf(useGemba().recording$));

/** Returns 'server' once a pull has proven that the server has the recording, and 'device' before. */
export const useCustody = (recordingSessionId: string | undefined): Custody | undefined =>
  useNewest(useById(custodyStores, recordingSessionId));

function useById<Id, Value>(byId: StoresById<Id, Value>, id: Id | undefined) {
  const gemba = useGemba();
  return id === undefined ? emptyStore : byId.of(gemba, id);
}
