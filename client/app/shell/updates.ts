/**
 * Updates of the app. A page looks for a new version when it opens; the new worker waits until a page lets it take over:
 *
 *   found ─► installed, waits ─┬─ this page may reload ─► takes over ─► each page is told that it is outdated ─┐
 *                              └─ else `update$` says 'ready', and the app offers the update                   │
 *                                the page reloads as soon as it may, and offers the update until then ◄────────┘
 *
 * A page may reload while nothing is recorded or typed, and it is hidden or nobody touched it yet. Until then it keeps its
 * version, whatever the other pages do: the worker still has the files.
 */
import { BehaviorSubject, combineLatest, type Observable } from 'rxjs';
import { readPageStorage, writePageStorage } from './page-storage.ts';
import type { PageMessage, WorkerMessage } from './service-worker/messages.ts';

export const update$ = new BehaviorSubject<'none' | 'ready'>('none');

/** Updates without waiting until the page is hidden; a recording still comes first. */
export const updateNow = (): void => requested$.next(true);

const { version } = document.documentElement.dataset;
const requested$ = new BehaviorSubject(false);
const waiting$ = new BehaviorSubject<ServiceWorker | null>(null);
/** The active worker is of another version than this page. */
const outdated$ = new BehaviorSubject(false);
const hidden$ = new BehaviorSubject(false);
/** False after the first tap or key, also before the engine was open. */
const untouched$ = new BehaviorSubject(true);
for (const touch of ['pointerdown', 'keydown']) {
  addEventListener(touch, () => untouched$.next(false), { once: true });
}

/** A page that stays open looks for a new version this often. */
const checkIntervalMs = 60 * 60 * 1000;
/** Without this pause, two servers of two versions would make a page reload for ever. */
const reloadPauseMs = 60_000;
const reloadedAtKey = 'gemba-reloaded';

export function startUpdates(recording$: Observable<unknown>): void {
  const { serviceWorker } = navigator;
  // `npm run dev` serves no build: a page of it has neither version nor worker.
  if (!serviceWorker || !version) return;
  watchPage();
  combineLatest([waiting$, outdated$, recording$, hidden$, untouched$, requested$]).subscribe(
    ([waiting, outdated, recording, hidden, untouched, requested]) => {
      update$.next(waiting || outdated ? 'ready' : 'none');
      const mayReload = (hidden || untouched) && !isTyping();
      if (recording !== null || !(mayReload || requested)) return;
      if (outdated) reload();
      else post(waiting, 'take-over');
    },
  );
  watchVersion(serviceWorker, version);
  serviceWorker.register('/sw.js').then(watchRegistration, (error: unknown) => reportError(error));
}

const post = (worker: ServiceWorker | null, message: PageMessage): void => worker?.postMessage(message);

/** Tells whether a person is typing, since a reload would lose the text. */
const isTyping = (): boolean =>
  document.querySelector('dialog[open], input:focus') !== null ||
  Boolean(document.querySelector<HTMLInputElement>('form input')?.value);

/** True once a reload has begun. The page runs until the reload, and a second reload would start over. */
let reloading = false;

function reload(): void {
  if (reloading) return;
  reloading = true;
  // Reloads only if the time can be stored: without it, the page could reload for ever.
  if (writePageStorage('sessionStorage', reloadedAtKey, String(Date.now()))) location.reload();
}

function watchPage(): void {
  const reloadedAt = Number(readPageStorage('sessionStorage', reloadedAtKey));
  if (Date.now() - reloadedAt <= reloadPauseMs) untouched$.next(false);
  // A page that is being left is hidden too; an update now would make the next page load files of two versions.
  let leaving = false;
  addEventListener('pagehide', () => (leaving = true));
  addEventListener('pageshow', () => (leaving = false));
  document.addEventListener('visibilitychange', () => hidden$.next(document.hidden && !leaving));
}

/** The worker answers a page of another version, also a page that loaded while the worker changed. */
function watchVersion(serviceWorker: ServiceWorkerContainer, ownVersion: string): void {
  const sendVersion = () => post(serviceWorker.controller, { version: ownVersion });
  serviceWorker.addEventListener('message', ({ data }: MessageEvent<WorkerMessage>) => {
    if (data === 'outdated') outdated$.next(true);
  });
  serviceWorker.addEventListener('controllerchange', sendVersion);
  sendVersion();
}

function watchRegistration(registration: ServiceWorkerRegistration): void {
  const readWaiting = () => waiting$.next(registration.active && registration.waiting);
  const followInstalling = () => registration.installing?.addEventListener('statechange', readWaiting);
  // Ignores a failed check, such as offline; the next check may succeed.
  const check = () => void registration.update().catch(() => undefined);
  registration.addEventListener('updatefound', followInstalling);
  document.addEventListener('visibilitychange', () => document.hidden || check());
  setInterval(check, checkIntervalMs);
  followInstalling();
  readWaiting();
  // Checks for a new version now; the browser's own check comes seconds later.
  if (registration.active) check();
}
