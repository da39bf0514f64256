/**
 * The engine before it is open. What the views ask of it comes as soon as it is there; the maps of last time are there
 * with the first picture, while the status says that the app is opening.
 */
import { Observable } from 'rxjs';
import type { Gemba } from '../client.ts';
import type { Face } from './engine.tsx';

type Maps = Gemba['maps$'] extends Observable<infer Value> ? Value : never;
type Verb = (...args: unknown[]) => unknown;

/** More than a screen shows. */
const keptMax = 30;
/** After this long without a change they are kept. */
const quietMs = 1_000;
const noteOf = (face: Face): string => `gemba-${face}-maps`;

/** The same for as long as the page is there: the views need not know when it opened. */
export function early(opening: Promise<Gemba>, face: Face): Gemba {
  let opened: Gemba | undefined;
  opening.then(
    (gemba) => {
      opened = gemba;
      keep(gemba, face);
    },
    () => undefined,
  );
  const later = <Value>(of: (gemba: Gemba) => Observable<Value>, first?: Value | null) =>
    new Observable<Value>((subscriber) => {
      if (opened) return of(opened).subscribe(subscriber);
      if (first) subscriber.next(first);
      opening.then(
        (gemba) => subscriber.add(of(gemba).subscribe(subscriber)),
        () => undefined,
      );
      return undefined;
    });
  const streams: Partial<Gemba> = {
    maps$: later(({ maps$ }) => maps$, kept(face)),
    deletedMaps$: later(({ deletedMaps$ }) => deletedMaps$),
    recording$: later(({ recording$ }) => recording$),
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
  return new Proxy(streams as Gemba, { get: (_, key: keyof Gemba) => streams[key] ?? asked(key) });
}

const kept = (face: Face): Maps | null => JSON.parse(localStorage.getItem(noteOf(face)) ?? 'null') as Maps | null;

function keep({ maps$ }: Gemba, face: Face): void {
  let timer: ReturnType<typeof setTimeout>;
  maps$.subscribe((maps) => {
    clearTimeout(timer);
    timer = setTimeout(() => localStorage.setItem(noteOf(face), JSON.stringify(maps.slice(0, keptMax))), quietMs);
  });
}
