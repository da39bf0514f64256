/**
 * The engine before it is open. What the views ask of it comes as soon as it is there: the maps of last time, and the one
 * that was shown last, at once, while the status says that the app is opening; what is being recorded before all was
 * read. What is tapped by then is done as soon as it can be, and shown as done once it is.
 */
import { Observable, tap } from 'rxjs';
import type { Gemba } from '../../client.ts';
import type { Face, Opening } from './engine.tsx';
import { lastRecordedFirst } from './last-recorded.ts';

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
      gemba.maps$.subscribe((maps) => shownMaps.keep(shownFirst(maps, face).slice(0, mapsKeptMax)));
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
    return later(({ map$ }) => map$(mapId).pipe(tap(shownMap.keep)), ready, last?.id === mapId ? last : null);
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
type OneMap = NonNullable<Shown<ReturnType<Gemba['map$']>>>;

/** As the face has them before anybody looked for one. */
const shownFirst = (maps: Maps, face: Face): Maps =>
  face === 'watch' ? lastRecordedFirst(maps) : maps.filter(({ archived }) => !archived);

/** What was shown last by this build, there before any database is. */
function note<Value>(key: string) {
  const { version } = document.documentElement.dataset;
  let timer: ReturnType<typeof setTimeout>;
  const write = (value: Value) => {
    const text = JSON.stringify({ version, value });
    try {
      localStorage.removeItem(key);
      if (text.length <= noteLengthMax) localStorage.setItem(key, text);
    } catch {
      // Without room for it the app opens as it did before it had one.
    }
  };
  return {
    kept: (): Value | null => {
      try {
        const noted = JSON.parse(localStorage.getItem(key)!) as { version?: string; value: Value } | null;
        return noted && noted.version === version ? noted.value : null;
      } catch {
        return null;
      }
    },
    keep: (value: Value | undefined) => {
      if (value === undefined) return;
      clearTimeout(timer);
      timer = setTimeout(() => write(value), quietMs);
    },
  };
}
