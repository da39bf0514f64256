/** The engine in the app: opened once, handed to the views, its observables as values. */
import { createContext } from 'preact';
import { useContext, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { Observable } from 'rxjs';
import { openGemba, type Begun, type Gemba, type Recording } from '../../client.ts';
import { isStorageBlocked } from './notes.ts';
import { texts } from '../text/texts.ts';

export type Face = 'phone' | 'watch';
export type RecordedStep = Recording['steps'][number];

export const kindOf = (face: Face): 'phone' | 'wearable' => (face === 'watch' ? 'wearable' : 'phone');

export interface Opening {
  /** For ever under way where the engine does not open. */
  begun: Promise<Begun>;
  opened: Promise<Gemba>;
}

/** Each face has a database of its own, so that a browser may be both, as two devices. */
export function openEngine(face: Face): Opening {
  let opened!: Promise<Gemba>;
  const begun = new Promise<Begun>((onBegun) => {
    const options = { name: `gemba-${face}`, url: location.origin, kind: kindOf(face), onBegun };
    opened = firstDrawn().then(() => {
      // IndexedDB then fails too, but each browser in its own words.
      if (isStorageBlocked()) throw new Error(texts.noStorage.title);
      return openGemba(options);
    });
  });
  return { begun, opened };
}

/** Opening keeps the thread and the disk busy: what was shown last comes before. A page out of sight draws nothing. */
const firstDrawn = (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, document.hidden ? 0 : drawnMsMax);
  });

const drawnMsMax = 200;

export const EngineContext = createContext<Gemba | undefined>(undefined);
export const FaceContext = createContext<Face>('phone');

export function useGemba(): Gemba {
  const gemba = useContext(EngineContext);
  if (!gemba) throw new Error('There is no engine above this view');
  return gemba;
}

/** The newest value of an observable that stays the same, such as `gemba.maps$`; undefined before the first. */
export function useValue<Value>(of$: Observable<Value>): Value | undefined {
  const [seen, see] = useState<{ of$: Observable<Value>; value: Value }>();
  // Before the paint: what is on the device is there with the first picture.
  useLayoutEffect(() => {
    const subscription = of$.subscribe((value) => see({ of$, value }));
    return () => subscription.unsubscribe();
  }, [of$]);
  return seen?.of$ === of$ ? seen.value : undefined;
}

/** The same of one that is made: `useValueOf(() => gemba.map$(id), [gemba, id])`. */
export function useValueOf<Value>(make: () => Observable<Value>, inputs: unknown[]): Value | undefined {
  return useValue(useMemo(make, inputs));
}
