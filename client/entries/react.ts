/** The public face of the React hooks, the package's entry `gemba/react`. */
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
