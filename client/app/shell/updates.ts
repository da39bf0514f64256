/**
 * Updates the app. A page looks for a new version when it opens. The new worker waits until a page may reload:
 *
 *   new version ─► its worker is installed and waits ─┬─ a page may reload ─► worker takes over ─► pages are outdated
 *                                                     └─ no page may reload: `update$` emits 'ready'     │
 *                           each page reloads when it may reload, and until then offers the update ◄─────┘
 *
 * A page may reload if nobody records or types, and the page is hidden or has had no input yet. Until the reload, the
 * worker serves the page's own version.
 */
import { BehaviorSubject, combineLatest, type Observable } from 'rxjs';
import { hasNoInput$ } from './first-input.ts';
import { readPageStorage, writePageStorage } from './page-storage.ts';
import type { MessageToWorker, MessageToPage } from './service-worker/messages.ts';

export const update$ = new BehaviorSubject<'none' | 'ready'>('none');

/** Updates the app even if the page is visible and in use. During a recording, the update waits. */
export const updateNow = (): void => isUpdateRequested$.next(true);

/**
 * True if the browser refused the service worker. Chromium refuses a service worker if it does not trust the server's
 * certificate.
 */
export const isCertificateUntrusted$ = new BehaviorSubject(false);

const { version } = document.documentElement.dataset;
const isUpdateRequested$ = new BehaviorSubject(false);
const waitingWorker$ = new BehaviorSubject<ServiceWorker | null>(null);
/** True if the active worker has another version than this page. */
const isPageOutdated$ = new BehaviorSubject(false);
const isPageHidden$ = new BehaviorSubject(false);

const updateCheckIntervalMs = 60 * 60 * 1000;
/**
 * After a reload, a visible page does not reload by itself again within this time. Otherwise two servers of different
 * versions would cause endless reloads.
 */
const reloadPauseMs = 60_000;
const reloadedAtKey = 'gemba-reloaded';

export function startUpdates(recording$: Observable<unknown>): void {
  const { serviceWorker } = navigator;
  // A page of `npm run dev` has neither a version nor a service worker.
  if (!serviceWorker || !version) return;
  watchPageVisibility();
  combineLatest([
    waitingWorker$,
    isPageOutdated$,
    recording$,
    isPageHidden$,
    hasNoInput$,
    isUpdateRequested$,
  ]).subscribe(([waitingWorker, isOutdated, recording, isHidden, hasNoInput, isRequested]) => {
    update$.next(waitingWorker || isOutdated ? 'ready' : 'none');
    const mayReload = (isHidden || hasNoInput) && !isTyping();
    if (recording !== null || !(mayReload || isRequested)) return;
    if (isOutdated) reloadOnce();
    else postToWorker(waitingWorker, 'take-over');
  });
  watchWorkerVersion(serviceWorker, version);
  void serviceWorker.ready.then(({ active }) => {
    // If the worker became active while this page was loading, the page gets its files from the network until the
    // worker claims the page.
    if (!serviceWorker.controller) postToWorker(active, 'claim');
  });
  serviceWorker.register('/sw.js').then(watchRegistration, (error: unknown) => {
    if (error instanceof DOMException && error.name === 'SecurityError') isCertificateUntrusted$.next(true);
    else reportError(error);
  });
}

const postToWorker = (worker: ServiceWorker | null, message: MessageToWorker): void => worker?.postMessage(message);

/** A reload would lose the text that a person is typing. */
const isTyping = (): boolean =>
  document.querySelector('dialog[open], input:focus') !== null ||
  Boolean(document.querySelector<HTMLInputElement>('form input')?.value);

/** A page runs on after `location.reload()`. A second call would restart the loading. */
let isReloading = false;

function reloadOnce(): void {
  if (isReloading) return;
  isReloading = true;
  // Reload only if the browser stores the time. Otherwise `reloadPauseMs` could not prevent endless reloads.
  if (writePageStorage('sessionStorage', reloadedAtKey, String(Date.now()))) location.reload();
}

function watchPageVisibility(): void {
  const reloadedAt = Number(readPageStorage('sessionStorage', reloadedAtKey));
  if (Date.now() - reloadedAt <= reloadPauseMs) hasNoInput$.next(false);
  // Leaving a page hides the page, too. An update at that moment would give the next page files of two versions.
  let leaving = false;
  addEventListener('pagehide', () => (leaving = true));
  addEventListener('pageshow', () => (leaving = false));
  document.addEventListener('visibilitychange', () => isPageHidden$.next(document.hidden && !leaving));
}

/** Tells each new active worker the version of this page. A worker of another version replies `outdated`. */
function watchWorkerVersion(serviceWorker: ServiceWorkerContainer, ownVersion: string): void {
  const sendVersion = () => postToWorker(serviceWorker.controller, { version: ownVersion });
  serviceWorker.addEventListener('message', ({ data }: MessageEvent<MessageToPage>) => {
    if (data === 'outdated') isPageOutdated$.next(true);
  });
  serviceWorker.addEventListener('controllerchange', sendVersion);
  sendVersion();
}

function watchRegistration(registration: ServiceWorkerRegistration): void {
  const readWaiting = () => waitingWorker$.next(registration.active && registration.waiting);
  const followInstalling = () => registration.installing?.addEventListener('statechange', readWaiting);
  // Ignores a failed check, for example while offline: the next check may succeed.
  const check = () => void registration.update().catch(() => undefined);
  registration.addEventListener('updatefound', followInstalling);
  document.addEventListener('visibilitychange', () => document.hidden || check());
  setInterval(check, updateCheckIntervalMs);
  followInstalling();
  readWaiting();
  // Checks at once, since the browser's own check comes some seconds after the page load.
  if (registration.active) check();
}
