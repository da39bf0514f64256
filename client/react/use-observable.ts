import { useEffect, useRef, useState } from 'react';
import type { Observable } from 'rxjs';
import { storeOf } from './store-cache.ts';
import type { ObservableStore, Snapshot } from './observable-store.ts';
import { useStore } from './use-store.ts';

/**
 * Limits how many commits in a row may each pass a new observable. A component that makes an observable in each render
 * would otherwise render for ever.
 */
const restartsMax = 100;

/**
 * Returns the newest value of `source$`; before the first value, the first render's `initial`. Each render must pass
 * the same observable (`useMemo(() => gemba.photo$(id), [gemba, id])`). Throws if 100 commits in a row pass a new one.
 */
export function useObservable<Value>(source$: Observable<Value>): Value | undefined;
export function useObservable<Value, Initial>(source$: Observable<Value>, initial: Initial): Value | Initial;
export function useObservable<Value>(source$: Observable<Value>, initial?: unknown): unknown {
  const [firstInitial] = useState(() => initial);
  const store = storeOf(source$);
  const snapshot = useStore(store);
  useRestartLimit(store, snapshot);
  return snapshot.state === 'value' ? snapshot.value : firstInitial;
}

interface LastCommit {
  store: ObservableStore<unknown>;
  snapshot: Snapshot<unknown>;
  restarts: number;
}

function useRestartLimit<Value>(store: ObservableStore<Value>, snapshot: Snapshot<Value>): void {
  const last = useRef<LastCommit>(undefined);
  const [isExceeded, setExceeded] = useState(false);
  useEffect(() => {
    const before = last.current;
    const isRestart =
      before !== undefined &&
      before.store !== store &&
      before.store.getSnapshot() !== before.snapshot &&
      snapshot.state === 'waiting';
    const restarts = isRestart ? before.restarts + 1 : 0;
    last.current = { store, snapshot, restarts };
    if (restarts >= restartsMax) setExceeded(true);
  });
  if (isExceeded) {
    throw new Error('useObservable got another observable in each render. Keep the observable with useMemo.');
  }
}
