/**
 * A `Gemba` that the views can use from the first render on. Its observables emit what is ready:
 *
 *   at once ─────────► early engine ───────────────► open engine
 *   maps shown last    the recording, any one map    everything
 *
 * A verb waits until an engine that can run the verb is open.
 */
import { Observable } from 'rxjs';
import { map } from 'rxjs/operators';
import type { EarlyEngine, ScopedGemba } from '../../client.ts';
import { databaseNameOf, type EngineOpening, type Face } from './engine.tsx';
import { sortedByLastRecorded } from './last-recorded.ts';
import { createLastShownStore } from './last-shown.ts';

/** A phone's first screen shows at most this many maps. Only these maps are stored for the next start. */
const storedMapsMax = 10;

type Verbs = {
  [
    Name in keyof ScopedGemba as ScopedGemba[Name] extends (...args: never[]) => Promise<unknown> ? Name : never
  ]: ScopedGemba[Name];
};
/**
 * The properties that this file defines: the observables, and `startRecording`, since the early engine can already
 * start a recording.
 */
type OwnProperties = Omit<ScopedGemba, keyof Verbs> & Pick<Verbs, 'startRecording'>;
type EarlyGemba = Omit<EarlyEngine, 'loadMap'>;
type ValueOf<Source> = Source extends Observable<infer Value> ? Value : never;
type MapList = ValueOf<ScopedGemba['maps$']>;
type ShownMap = NonNullable<ValueOf<ReturnType<ScopedGemba['map$']>>>;

export function createDeferredEngine({ early, opened: opening }: EngineOpening, face: Face): ScopedGemba {
  let opened: ScopedGemba | undefined;
  const lastShownMaps = createLastShownStore<MapList>(`${databaseNameOf(face)}-maps`);
  const lastShownMap = createLastShownStore<ShownMap>(`${databaseNameOf(face)}-map`);
  opening.then(
    (gemba) => {
      opened = gemba;
      gemba.maps$.subscribe((maps) => lastShownMaps.store(mapsOnFirstScreen(maps, face).slice(0, storedMapsMax)));
    },
    // app.tsx shows the error.
    () => undefined,
  );

  /**
   * Calls the verb synchronously if the engine is open, so that the engine reads the clock at the moment of the tap.
   */
  const verb =
    (name: keyof Verbs) =>
    async (...args: unknown[]): Promise<unknown> =>
      ((opened ?? (await opening))[name] as (...given: unknown[]) => Promise<unknown>)(...args);
  const whenOpen = <Value>(select: (gemba: ScopedGemba) => Observable<Value>, first?: Value | null) =>
    deferredObservable(
      () => opened && select(opened),
      () => opening.then(select),
      first,
    );
  const whenEarly = <Value>(select: (gemba: EarlyGemba) => Observable<Value>) =>
    deferredObservable(
      () => opened && select(opened),
      () => early.then(select),
    );
  const engineWithMap = async (mapId: string): Promise<EarlyGemba> => {
    const engine = await early;
    return (await engine.loadMap(mapId)) ? engine : opening;
  };
  const map$: ScopedGemba['map$'] = (mapId) => {
    const last = opened ? null : lastShownMap.read();
    const select = (gemba: EarlyGemba) => gemba.map$(mapId).pipe(map(lastShownMap.store));
    return deferredObservable(
      () => opened && select(opened),
      () => engineWithMap(mapId).then(select),
      last?.id === mapId ? last : null,
    );
  };

  const own: OwnProperties = {
    maps$: whenOpen((gemba) => gemba.maps$, lastShownMaps.read()),
    deletedMaps$: whenOpen((gemba) => gemba.deletedMaps$),
    map$,
    runs$: (mapId) => whenOpen((gemba) => gemba.runs$(mapId)),
    latestRuns$: (...args) => whenOpen((gemba) => gemba.latestRuns$(...args)),
    runsOnServer$: whenOpen((gemba) => gemba.runsOnServer$),
    run$: (runId) => whenOpen((gemba) => gemba.run$(runId)),
    recording$: whenEarly((gemba) => gemba.recording$),
    startRecording: async (target) => (opened ?? (await early)).startRecording(target),
    discardedRecordings$: whenEarly((gemba) => gemba.discardedRecordings$),
    photos$: whenOpen((gemba) => gemba.photos$),
    photo$: (...args) => whenOpen((gemba) => gemba.photo$(...args)),
    custody$: (sessionId) => whenOpen((gemba) => gemba.custody$(sessionId)),
    status$: whenOpen((gemba) => gemba.status$),
    report$: whenOpen((gemba) => gemba.report$),
    attention$: whenOpen((gemba) => gemba.attention$),
    discardedChanges$: whenOpen((gemba) => gemba.discardedChanges$),
  };
  // All other properties are verbs.
  return new Proxy(own, {
    get: (target, name) => target[name as keyof OwnProperties] ?? verb(name as keyof Verbs),
  }) as ScopedGemba;
}

/**
 * Subscribes to the source of `now()`. If `now()` returns undefined, emits `first` and subscribes to the source of
 * `later()`.
 */
const deferredObservable = <Value>(
  now: () => Observable<Value> | undefined,
  later: () => Promise<Observable<Value>>,
  first?: Value | null,
) =>
  new Observable<Value>((subscriber) => {
    const source = now();
    if (source) return source.subscribe(subscriber);
    if (first) subscriber.next(first);
    later().then(
      (late) => subscriber.add(late.subscribe(subscriber)),
      () => undefined,
    );
    return undefined;
  });

/** Filters and sorts the maps as the first screen of the face does. */
const mapsOnFirstScreen = (maps: MapList, face: Face): MapList =>
  face === 'watch' ? sortedByLastRecorded(maps) : maps.filter(({ archived }) => !archived);
