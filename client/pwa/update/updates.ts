/**
 * New versions of the app. A new service worker waits until the old one lets it:
 *
 *   found ─► installed, waits ─┬─ nothing is recorded, and the app is hidden or was just opened ─► takes over, loads anew
 *                              └─ else: `update$` says 'ready', and the app offers it
 *
 * A recording under way is never interrupted, although its taps would survive it.
 */
import { BehaviorSubject, combineLatest, type Observable } from 'rxjs';

export const update$ = new BehaviorSubject<'none' | 'ready'>('none');

/** Lets the version that waits take over; the page loads anew when it has. */
export const updateNow = (): void => waiting?.postMessage('take-over');

let waiting: ServiceWorker | null = null;
/** Just opened: nobody has begun anything yet. */
let fresh = true;

let leaving = false;

/** How often an app that stays open looks for a new version. */
const lookMs = 60 * 60 * 1000;

// From the first moment on: a version that takes over while the engine still opens must not be missed.
const container = globalThis.navigator?.serviceWorker;
// The very first worker replaces none, and what it serves is what is shown already.
let hadController = Boolean(container?.controller);
container?.addEventListener('controllerchange', () => {
  if (hadController) location.reload();
  hadController = true;
});

export function startUpdates(recording$: Observable<unknown>): void {
  if (!('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  const hidden$ = new BehaviorSubject(document.hidden);
  // A page that goes away is hidden too, and the one that comes after it would load under two versions.
  addEventListener('pagehide', () => (leaving = true));
  addEventListener('pageshow', () => (leaving = false));
  document.addEventListener('visibilitychange', () => hidden$.next(document.hidden && !leaving));
  addEventListener('pointerdown', () => (fresh = false), { once: true });
  addEventListener('keydown', () => (fresh = false), { once: true });
  combineLatest([update$, recording$, hidden$]).subscribe(([update, recording, hidden]) => {
    if (update === 'ready' && recording === null && (hidden || fresh)) updateNow();
  });
  serviceWorker.register('/sw.js').then(watch, (error: unknown) => reportError(error));
}

function watch(registration: ServiceWorkerRegistration): void {
  const look = () => {
    waiting = registration.active ? registration.waiting : null;
    update$.next(waiting ? 'ready' : 'none');
  };
  look();
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', look);
  });
  document.addEventListener('visibilitychange', () => {
    // Out of reach is how this app lives: the next time will do.
    if (!document.hidden) registration.update().catch(() => undefined);
  });
  setInterval(() => void registration.update().catch(() => undefined), lookMs);
}
