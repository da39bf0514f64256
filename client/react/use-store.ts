import { useSyncExternalStore } from 'react';
import { waitingSnapshot, type ObservableStore, type Snapshot } from './observable-store.ts';

type ReadableStore<Value> = Pick<ObservableStore<Value>, 'subscribe' | 'getSnapshot' | 'getServerSnapshot'>;

const getWaitingSnapshot = () => waitingSnapshot;

/** The store that a hook reads if its `id` is undefined. The store never has a value. */
export const emptyStore: ReadableStore<never> = {
  subscribe: () => () => {},
  getSnapshot: getWaitingSnapshot,
  getServerSnapshot: getWaitingSnapshot,
};

/** Returns the snapshot of the store. Throws the error of a failed observable, for the nearest error boundary. */
export function useStore<Value>(store: ReadableStore<Value>): Exclude<Snapshot<Value>, { state: 'failed' }> {
  const snapshot = useSyncExternalStore(store.subscribe, store.getSnapshot, store.getServerSnapshot);
  if (snapshot.state === 'failed') throw snapshot.error;
  return snapshot;
}

/** Returns the newest value of the store; undefined before the first one. */
export function useNewest<Value>(store: ReadableStore<Value>): Value | undefined {
  const snapshot = useStore(store);
  return snapshot.state === 'value' ? snapshot.value : undefined;
}
