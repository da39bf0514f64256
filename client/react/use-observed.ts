import { useSyncExternalStore } from 'react';
import { waiting, type Observed, type Snapshot } from './observed.ts';

type Readable<Value> = Pick<Observed<Value>, 'subscribe' | 'getSnapshot' | 'getServerSnapshot'>;

const getWaiting = () => waiting;

/** A hook without an id reads this, which has no value. */
export const nothing: Readable<never> = {
  subscribe: () => () => {},
  getSnapshot: getWaiting,
  getServerSnapshot: getWaiting,
};

/** Returns the snapshot. Throws the error of a failed observable, which React passes to the nearest error boundary. */
export function useObserved<Value>(observed: Readable<Value>): Exclude<Snapshot<Value>, { state: 'failed' }> {
  const snapshot = useSyncExternalStore(observed.subscribe, observed.getSnapshot, observed.getServerSnapshot);
  if (snapshot.state === 'failed') throw snapshot.error;
  return snapshot;
}

/** Returns the newest value; undefined before the first one. */
export function useNewest<Value>(observed: Readable<Value>): Value | undefined {
  const snapshot = useObserved(observed);
  return snapshot.state === 'value' ? snapshot.value : undefined;
}
