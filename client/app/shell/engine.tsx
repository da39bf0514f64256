import { createContext } from 'preact';
import { useContext, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { Observable, Subscription } from 'rxjs';
import {
  openGemba,
  runScope,
  type DeviceKind,
  type EarlyEngine,
  type GembaOptions,
  type ScopedGemba,
} from '../../client.ts';
import { isStorageBlocked } from './page-storage.ts';
import { rememberDesk, takeRunsKept } from './runs-kept.ts';

export type Face = 'phone' | 'watch' | 'desk';

const deviceKinds: Record<Face, DeviceKind> = { phone: 'phone', watch: 'wearable', desk: 'desk' };

export const deviceKindOf = (face: Face): DeviceKind => deviceKinds[face];

/** A desk uses the phone's database, since a narrow window of a desk shows the phone's screens. */
const databaseNames: Record<Face, string> = { phone: 'gemba-phone', watch: 'gemba-watch', desk: 'gemba-phone' };

export const databaseNameOf = (face: Face): string => databaseNames[face];

function prepareRunScope(face: Face) {
  if (face === 'watch') return undefined;
  if (face === 'desk') rememberDesk(databaseNameOf(face));
  return runScope({ runsMax: takeRunsKept(databaseNameOf(face)) });
}

export interface EngineOpening {
  /** Resolves once the engine can record. Stays pending if the engine cannot open. */
  early: Promise<EarlyEngine>;
  opened: Promise<ScopedGemba>;
}

/**
 * The optional parts of the engine. Each face passes its own parts, so that it does not load the code of another face.
 */
export type EngineParts = Pick<GembaOptions, 'carrier' | 'handOver' | 'inspector'>;

/** Opens the engine with the database of the face. One browser can thus be a phone and a watch, as two devices. */
export function openFaceEngine(face: Face, parts: EngineParts): EngineOpening {
  let opened!: Promise<ScopedGemba>;
  const early = new Promise<EarlyEngine>((onBegun) => {
    const options = { name: databaseNameOf(face), url: location.origin, kind: deviceKindOf(face), onBegun };
    opened = untilNextPaint().then(() => {
      // Throw before the engine opens, since IndexedDB would throw a different message in each browser.
      if (isStorageBlocked()) throw new Error('The browser blocks the storage of this site');
      const scope = prepareRunScope(face);
      // A watch has no scope, which the cast hides. The engine of a watch thus lacks the methods for runs on the
      // server, but no view of a watch calls these methods.
      return openGemba({ ...options, ...parts, ...(scope ? { scope } : {}) }) as Promise<ScopedGemba>;
    });
  });
  return { early, opened };
}

const paintWaitMsMax = 200;

/** Resolves after the next paint. Work that would delay the paint, such as opening the engine, waits for this. */
export const untilNextPaint = (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    // A hidden page has no animation frames.
    setTimeout(resolve, document.hidden ? 0 : paintWaitMsMax);
  });

export const EngineContext = createContext<ScopedGemba | undefined>(undefined);
export const FaceContext = createContext<Face>('phone');

export function useGemba(): ScopedGemba {
  const gemba = useContext(EngineContext);
  if (!gemba) throw new Error('This view has no EngineContext above it');
  return gemba;
}

/**
 * Returns the newest value of `source$`; undefined before the first value. Each render must pass the same observable,
 * such as `gemba.maps$`.
 */
export function useValue<Value>(source$: Observable<Value>): Value | undefined {
  const [, render] = useState<object>();
  // Subscribe during the render. A value that comes at once then needs no second render, which would delay the first
  // frame.
  const followed = useMemo(() => follow(source$, () => render({})), [source$]);
  useLayoutEffect(() => () => followed.subscription?.unsubscribe(), [followed]);
  return followed.value;
}

interface FollowedSource<Value> {
  value?: Value;
  subscription?: Subscription;
}

/** Subscribes to `source$`. Calls `onChange` for each later value, but not for a value that comes at once. */
function follow<Value>(source$: Observable<Value>, onChange: () => void): FollowedSource<Value> {
  const followed: FollowedSource<Value> = {};
  followed.subscription = source$.subscribe((value) => {
    followed.value = value;
    if (followed.subscription) onChange();
  });
  return followed;
}

/** Returns the newest value of an observable made from `inputs`: `useValueOf(() => gemba.map$(id), [gemba, id])`. */
export function useValueOf<Value>(create: () => Observable<Value>, inputs: unknown[]): Value | undefined {
  return useValue(useMemo(create, inputs));
}
