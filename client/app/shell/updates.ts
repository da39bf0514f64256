/**
 * New versions of the app. A page looks for one as it opens; a new worker waits until a page lets it:
 *
 *   found ─► installed, waits ─┬─ this page can be spared ─► takes over ─► each page hears that it is outdated ─┐
 *                              └─ else `update$` says 'ready', and the app offers it                            │
 *                                the page loads anew as soon as it can be spared, and offers it until then ◄────┘
 *
 * A page can be spared while nothing is recorded or typed, and it is hidden or was just opened. Until then it stays what
 * it is, whatever the other pages do: the worker still has the files of its version.
 */
import { BehaviorSubject, combineLatest, type Observable } from 'rxjs';
import { note, noted } from './notes.ts';

export const update$ = new BehaviorSubject<'none' | 'ready'>('none');

/** Somebody wants it now; a recording under way still comes first. */
export const updateNow = (): void => asked$.next(true);

const { version } = document.documentElement.dataset;
const asked$ = new BehaviorSubject(false);
const waiting$ = new BehaviorSubject<ServiceWorker | null>(null);
/** The worker serves another version than this page is of. */
const outdated$ = new BehaviorSubject(false);
const hidden$ = new BehaviorSubject(false);
/** Just opened: nobody has begun anything yet, also before the engine was open. */
const fresh$ = new BehaviorSubject(true);
for (const begun of ['pointerdown', 'keydown']) addEventListener(begun, () => fresh$.next(false), { once: true });

/** How often an app that stays open looks for a new version. */
const lookMs = 60 * 60 * 1000;
/** Two servers that serve two versions by turns must not make a page load for ever. */
const reloadsApartMsMin = 60_000;
const reloadedNote = 'gemba-reloaded';

export function startUpdates(recording$: Observable<unknown>): void {
  const { serviceWorker } = navigator;
  // Without a version it is no build, and has no worker: `npm run dev`.
  if (!serviceWorker || !version) return;
  watchPage();
  combineLatest([waiting$, outdated$, recording$, hidden$, fresh$, asked$]).subscribe(
    ([waiting, outdated, recording, hidden, fresh, asked]) => {
      update$.next(waiting || outdated ? 'ready' : 'none');
      const isSpared = (hidden || fresh) && !isTyped();
      if (recording !== null || !(isSpared || asked)) return;
      if (outdated) reload();
      else waiting?.postMessage('take-over');
    },
  );
  watchVersion(serviceWorker);
  serviceWorker.register('/sw.js').then(watchUpdates, (error: unknown) => reportError(error));
}

/** Such as the pairing code, which came by a link perhaps: it would go away with the page. */
const isTyped = (): boolean =>
  document.querySelector('dialog[open], input:focus') !== null ||
  Boolean(document.querySelector<HTMLInputElement>('form input')?.value);

/** While the new worker starts the page stays, and to load it once more would begin anew. */
let reloading = false;

function reload(): void {
  if (reloading) return;
  reloading = true;
  // Without the note the page could load for ever.
  if (note('sessionStorage', reloadedNote, String(Date.now()))) location.reload();
}

function watchPage(): void {
  if (Date.now() - Number(noted('sessionStorage', reloadedNote)) <= reloadsApartMsMin) fresh$.next(false);
  // A page that goes away is hidden too, and the one that comes after it would load under two versions.
  let leaving = false;
  addEventListener('pagehide', () => (leaving = true));
  addEventListener('pageshow', () => (leaving = false));
  document.addEventListener('visibilitychange', () => hidden$.next(document.hidden && !leaving));
}

/** The worker answers the page of another version, also one that loaded while the next took over. */
function watchVersion(serviceWorker: ServiceWorkerContainer): void {
  const tell = () => serviceWorker.controller?.postMessage({ version });
  serviceWorker.addEventListener('message', ({ data }) => data === 'outdated' && outdated$.next(true));
  serviceWorker.addEventListener('controllerchange', tell);
  tell();
}

function watchUpdates(registration: ServiceWorkerRegistration): void {
  const look = () => waiting$.next(registration.active && registration.waiting);
  const follow = () => registration.installing?.addEventListener('statechange', look);
  // Out of reach is how this app lives: the next time will do.
  const ask = () => void registration.update().catch(() => undefined);
  registration.addEventListener('updatefound', follow);
  document.addEventListener('visibilitychange', () => document.hidden || ask());
  setInterval(ask, lookMs);
  follow();
  look();
  // The browser looks too, but seconds later.
  if (registration.active) ask();
}
