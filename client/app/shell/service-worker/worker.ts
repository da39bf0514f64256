/**
 * The service worker stores the files of one build, so that the app opens without a network.
 *
 *   install ─► the files of the build are cached ─► worker waits ─── a page lets it take over ──► worker serves pages
 *
 * A page never gets files of two builds. When this worker becomes active, pages of the earlier build may be open or still
 * loading: they get the rest of their files from the earlier cache. That cache is deleted once only one page is open, and
 * this page is of the new build. Requests for anything else, such as the API, go to the network.
 */
import type { PageMessage, WorkerMessage } from './messages.ts';

/**
 * Declares the parts of ServiceWorkerGlobalScope that this file uses: TypeScript's library for workers conflicts with
 * its library for pages.
 */
interface WorkerScope {
  location: Location;
  registration: ServiceWorkerRegistration;
  clients: {
    claim(): Promise<void>;
    matchAll(options: { type: 'window'; includeUncontrolled: true }): Promise<Page[]>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate' | 'sync', listener: (event: WorkerEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: WorkerFetchEvent) => void): void;
  addEventListener(type: 'message', listener: (event: WorkerMessageEvent) => void): void;
}

/** A page, as WindowClient describes it. */
interface Page {
  id: string;
  visibilityState: DocumentVisibilityState;
  postMessage(message: WorkerMessage): void;
}

interface WorkerEvent {
  waitUntil(work: Promise<unknown>): void;
}

interface WorkerFetchEvent extends WorkerEvent {
  request: Request;
  respondWith(response: Promise<Response>): void;
}

interface WorkerMessageEvent extends WorkerEvent {
  data: PageMessage;
  source: Page;
}

declare const self: WorkerScope;
/** The build defines these constants. */
declare const __SHELL__: string[];
declare const __VERSION__: string;
declare const __APP_PAGES__: Record<string, string>;

const cacheName = `shell-${__VERSION__}`;
const files = new Set(__SHELL__);
const appPages = Object.entries(__APP_PAGES__).map(([page, pattern]) => ({ page, pattern: new RegExp(pattern) }));

self.addEventListener('install', (event) => event.waitUntil(cacheFiles()));

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('message', (event) => {
  const { data, source } = event;
  event.waitUntil(data === 'take-over' ? takeOver(source) : checkVersion(data.version, source));
});

// The browser fires `sync` when the network is back and a page has asked for Background Sync.
self.addEventListener('sync', (event) => event.waitUntil(askPagesToSync()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  const match = request.mode === 'navigate' && appPages.find(({ pattern }) => pattern.test(pathname));
  if (match) event.respondWith(fromOwnCache(match.page, request));
  else if (files.has(pathname)) event.respondWith(fromOwnCache(pathname, request));
  else if (pathname.startsWith('/assets/')) event.respondWith(fromAnyCache(request));
});

/** Caches the files of the build. One missing file fails the installation, and the browser tries again later. */
async function cacheFiles(): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.addAll([...files].map((path) => new Request(path, { cache: 'no-cache' })));
}

/**
 * Becomes the active worker, which makes the pages reload. A hidden page may not cause that while another page is
 * visible.
 */
async function takeOver(asking: Page): Promise<void> {
  const isOneVisible = (await allPages()).some(({ visibilityState }) => visibilityState === 'visible');
  if (asking.visibilityState === 'visible' || !isOneVisible) await self.skipWaiting();
}

async function checkVersion(version: string, asking: Page): Promise<void> {
  if (version !== __VERSION__) asking.postMessage('outdated');
  else if ((await allPages()).every(({ id }) => id === asking.id)) await deleteOtherCaches();
}

async function deleteOtherCaches(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith('shell-') && name !== cacheName);
  // Deletes no cache while a newer worker may be filling its own.
  if (self.registration.installing || self.registration.waiting) return;
  await Promise.all(others.map((name) => caches.delete(name)));
}

/** Asks all pages to sync, since the worker has no engine. A frozen page gets the message when it runs again. */
async function askPagesToSync(): Promise<void> {
  for (const page of await allPages()) page.postMessage('sync');
}

const allPages = (): Promise<Page[]> => self.clients.matchAll({ type: 'window', includeUncontrolled: true });

async function fromOwnCache(path: string, request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  return (await cache.match(path)) ?? fetch(request);
}

/** Searches the caches of all builds: a page of an earlier build asks for files that only the earlier cache has. */
const fromAnyCache = async (request: Request): Promise<Response> => (await caches.match(request)) ?? fetch(request);
