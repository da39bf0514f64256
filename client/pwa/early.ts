/**
 * The engine before it is open. What the views ask of it comes as soon as it is there: the maps of last time with the
 * first picture, while the status says that the app is opening, and one map and the recording before all was read.
 */
import { Observable } from 'rxjs';
import type { Gemba } from '../client.ts';
import type { Face, Opening } from './engine.tsx';

type Maps = Gemba['maps$'] extends Observable<infer Value> ? Value : never;
type Verb = (...args: unknown[]) => unknown;

/** More than a screen shows. */
const keptMax = 30;
/** After this long without a change they are kept. */
const quietMs = 1_000;
const noteOf = (face: Face): string => `gemba-${face}-maps`;

/** The same for as long as the page is there: the views need not know when it opened. */
export function early({ begun, opened: opening }: Opening, face: Face): Gemba {
  let opened: Gemba | undefined;
  opening.then(
    (gemba) => {
      opened = gemba;
      keep(gemba, face);
    },
    () => undefined,
  );
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
  const answers: Partial<Gemba> = {
    maps$: later(({ maps$ }) => maps$, opening, kept(face)),
    map$: (mapId) => later(({ map$ }) => map$(mapId), opened ? opening : knowing(mapId)),
    deletedMaps$: later(({ deletedMaps$ }) => deletedMaps$),
    recording$: later(({ recording$ }) => recording$, begun),
    startRecording: async (target) => (opened ?? (await begun)).startRecording(target),
    discardedRecordings$: later(({ discardedRecordings$ }) => discardedRecordings$),
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

const kept = (face: Face): Maps | null => JSON.parse(localStorage.getItem(noteOf(face)) ?? 'null') as Maps | null;

function keep({ maps$ }: Gemba, face: Face): void {
  let timer: ReturnType<typeof setTimeout>;
  maps$.subscribe((maps) => {
    clearTimeout(timer);
    timer = setTimeout(() => localStorage.setItem(noteOf(face), JSON.stringify(maps.slice(0, keptMax))), quietMs);
  });
}
