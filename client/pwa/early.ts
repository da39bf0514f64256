/**
 * The engine before it is open. What the views ask of it comes as soon as it is there: the maps of last time, and the one
 * that was shown last, with the first picture, while the status says that the app is opening; what is being recorded
 * before all was read. What is tapped by then is done as soon as it can be, and shown as done once it is.
 */
import { Observable, tap } from 'rxjs';
import type { Gemba } from '../client.ts';
import type { Face, Opening } from './engine.tsx';

type Verb = (...args: unknown[]) => unknown;

/** As many as a phone shows. */
const mapsKeptMax = 10;
/** Of UTF-16: what takes longer to write and to read than the engine needs is not worth it. */
const noteLengthMax = 100_000;
/** After this long without a change it is noted. */
const quietMs = 1_000;

/** The same for as long as the page is there: the views need not know when it opened. */
export function early({ begun, opened: opening }: Opening, face: Face): Gemba {
  let opened: Gemba | undefined;
  opening.then(
    (gemba) => {
      opened = gemba;
      // What a watch is asked for first is what was recorded last.
      const first = face === 'watch' ? lastRecordedFirst : <Item>(maps: Item[]) => maps;
      gemba.maps$.subscribe((maps) => shownMaps.keep(first(maps).slice(0, mapsKeptMax)));
    },
    () => undefined,
  );
  const shownMaps = note<Maps>(`gemba-${face}-maps`);
  const shownMap = note<OneMap>(`gemba-${face}-map`);
  const later = <Value, Has extends Partial<Gemba> = Gemba>(
    of: (gemba: Has) => Observable<Value>,
    ready: Promise<Partial<Gemba>> = opening,
    first?: Value | null,
  ) =>
    new Observable<Value>((subscriber) => {
      if (opened) return of(opened as Partial<Gemba> as Has).subscribe(subscriber);
      if (first) subscriber.next(first);
      ready.then(
        (gemba) => subscriber.add(of(gemba as Has).subscribe(subscriber)),
        () => undefined,
      );
      return undefined;
    });
  const knowing = async (mapId: string): Promise<Pick<Gemba, 'map$'>> => {
    const gemba = await begun;
    return (await gemba.knows(mapId)) ? gemba : opening;
  };
  const mapOf = (mapId: string) => {
    const last = opened ? null : shownMap.kept();
    const ready = opened ? opening : knowing(mapId);
    return later(({ map$ }) => map$(mapId), ready, last?.id === mapId ? last : null).pipe(tap(shownMap.keep));
  };
  const answers: Partial<Gemba> = {
    maps$: later(({ maps$ }) => maps$, opening, shownMaps.kept()),
    map$: mapOf,
    deletedMaps$: later(({ deletedMaps$ }) => deletedMaps$),
    recording$: later(({ recording$ }) => recording$, begun),
    startRecording: async (target) => (opened ?? (await begun)).startRecording(target),
    discardedRecordings$: later(({ discardedRecordings$ }) => discardedRecordings$, begun),
    status$: later(({ status$ }) => status$),
    attention$: later(({ attention$ }) => attention$),
    discardedChanges$: later(({ discardedChanges$ }) => discardedChanges$),
  };
  const asked = (key: keyof Gemba): Verb => {
    const call = (gemba: Gemba, args: unknown[]) => (gemba[key] as Verb)(...args);
    if (key.endsWith('$')) return (...args) => later((gemba) => call(gemba, args) as Observable<unknown>);
    return (...args) => (opened ? call(opened, args) : opening.then((gemba) => call(gemba, args)));
  };
  return new Proxy(answers as Gemba, { get: (_, key: keyof Gemba) => answers[key] ?? asked(key) });
}

type Shown<Of> = Of extends Observable<infer Value> ? Value : never;
type Maps = Shown<Gemba['maps$']>;
type OneMap = Shown<ReturnType<Gemba['map$']>>;

export const lastRecordedFirst = (maps: Maps): Maps =>
  maps.toSorted((a, b) => (b.last_run_at ?? '').localeCompare(a.last_run_at ?? ''));

/** What was shown last, there before any database is. */
function note<Value>(key: string) {
  let timer: ReturnType<typeof setTimeout>;
  const write = (value: Value | undefined) => {
    const text = JSON.stringify(value);
    if (value && text.length <= noteLengthMax) localStorage.setItem(key, text);
    else localStorage.removeItem(key);
  };
  return {
    kept: () => {
      try {
        return JSON.parse(localStorage.getItem(key) ?? 'null') as Value | null;
      } catch {
        return null;
      }
    },
    keep: (value: Value | undefined) => {
      clearTimeout(timer);
      timer = setTimeout(() => write(value), quietMs);
    },
  };
}
