/** The package's entry `gemba/react`: the React hooks. */
export { GembaProvider, useGemba, type GembaProviderProps } from '../react/provider.ts';
export { useObservable } from '../react/use-observable.ts';
export { useOpenedGemba } from '../react/use-opened-gemba.ts';
export {
  useAttention,
  useCustody,
  useDeletedMaps,
  useMap,
  useMaps,
  useRecording,
  useRun,
  useRuns,
  useStatus,
} from '../react/use-records.ts';
