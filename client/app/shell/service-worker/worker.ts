/**
 * The service worker caches the files of one build, so that the app opens without a network.
 *
 *   install ─► the files of the build are cached ─► worker waits ─── a page lets it take over ──► worker serves pages
 *
 * A page never gets files of two builds: open pages of the earlier build get their files from the earlier cache. The
 * worker deletes the earlier cache once the only open page is of the new build. Other requests, such as requests to
 * the API, go to the network.
 */
import type { MessageToWorker, MessageToPage } from './messages.ts';

/**
 * The parts of ServiceWorkerGlobalScope that this file uses. TypeScript's library for workers conflicts with its
 * library for pages.
 */
interface WorkerScope {
  location: Location;
  registration: ServiceWorkerRegistration;
  clients: {
    claim(): Promise<void>;
    matchAll(options: { type: 'window'; includeUncontrolled: true }): Promise<PageClient[]>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate' | 'sync', listener: (event: WorkerEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: WorkerFetchEvent) => void): void;
  addEventListener(type: 'message', listener: (event: WorkerMessageEvent) => void): void;
}

/** The parts of WindowClient that this file uses. */
interface PageClient {
  id: string;
  visibilityState: DocumentVisibilityState;
  postMessage(message: MessageToPage): void;
}

interface WorkerEvent {
  waitUntil(work: Promise<unknown>): void;
}

interface WorkerFetchEvent extends WorkerEvent {
  request: Request;
  respondWith(response: Promise<Response>): void;
}

interface WorkerMessageEvent extends WorkerEvent {
  data: MessageToWorker;
  source: PageClient;
}

declare const self: WorkerScope;
/** The build defines these constants. */
declare const __SHELL__: string[];
declare const __VERSION__: string;
declare const __APP_PAGES__: Record<string, string>;

const cacheName = `shell-${__VERSION__}`;
const buildFiles = new Set(__SHELL__);
const appPages = Object.entries(__APP_PAGES__).map(([page, pattern]) => ({ page, pattern: new RegExp(pattern) }));

self.addEventListener('install', (event) => event.waitUntil(cacheFiles()));

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('message', (event) => {
  const { data, source } = event;
  if (data === 'claim') event.waitUntil(self.clients.claim());
  else event.waitUntil(data === 'take-over' ? takeOver(source) : checkVersion(data.version, source));
});

// The browser fires `sync` once the network is back, if a page has asked for Background Sync.
self.addEventListener('sync', (event) => event.waitUntil(askPagesToSync()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  const match = request.mode === 'navigate' && appPages.find(({ pattern }) => pattern.test(pathname));
  if (match) event.respondWith(fromOwnCache(match.page, request));
  else if (buildFiles.has(pathname)) event.respondWith(fromOwnCache(pathname, request));
  else if (pathname.startsWith('/assets/')) event.respondWith(fromAnyCache(request));
});

/** Caches the files of the build. If one file fails, the installation fails, and the browser tries again later. */
async function cacheFiles(): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.addAll([...buildFiles].map((path) => new Request(path, { cache: 'no-cache' })));
}

/**
 * Becomes the active worker. Each page of another version then reloads as soon as updates.ts allows it. Ignores the
 * request of a hidden page while a page is visible.
 */
async function takeOver(asking: PageClient): Promise<void> {
  const isAnyVisible = (await allPages()).some(({ visibilityState }) => visibilityState === 'visible');
  if (asking.visibilityState === 'visible' || !isAnyVisible) await self.skipWaiting();
}

async function checkVersion(version: string, asking: PageClient): Promise<void> {
  if (version !== __VERSION__) asking.postMessage('outdated');
  else if ((await allPages()).every(({ id }) => id === asking.id)) await deleteOtherCaches();
}

async function deleteOtherCaches(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith('shell-') && name !== cacheName);
  // Deletes no cache while a newer worker may be filling its cache.
  if (self.registration.installing || self.registration.waiting) return;
  await Promise.all(others.map((name) => caches.delete(name)));
}

/** The pages sync, since the worker has no engine. A frozen page gets the message when the page runs again. */
async function askPagesToSync(): Promise<void> {
  for (const page of await allPages()) page.postMessage('sync');
}

const allPages = (): Promise<PageClient[]> => self.clients.matchAll({ type: 'window', includeUncontrolled: true });

async function fromOwnCache(path: string, request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  return (await cache.match(path)) ?? fetch(request);
}

/** A page of an earlier build needs files that only the earlier cache has. */
const fromAnyCache = async (request: Request): Promise<Response> => (await caches.match(request)) ?? fetch(request);
