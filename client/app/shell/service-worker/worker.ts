/**
 * The service worker: keeps the files of one build, so that the app opens without a network.
 *
 *   install ─► all files of the build in a cache of its own ─► waits ─── a page says when ──► serves new pages
 *
 * A page never gets files of two builds: one that was open, or loading, when this worker took over has the rest of its own
 * from the cache before, which goes when only a page of this build is left. What is not a file of a build, the API first
 * of all, goes past it.
 */

/** The parts of a ServiceWorkerGlobalScope that are used; the compiler's library for it contradicts that of pages. */
interface WorkerScope {
  location: Location;
  registration: ServiceWorkerRegistration;
  clients: {
    claim(): Promise<void>;
    matchAll(options: { type: 'window'; includeUncontrolled: true }): Promise<Page[]>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate' | 'sync', listener: (event: Lasting) => void): void;
  addEventListener(type: 'fetch', listener: (event: Fetching) => void): void;
  addEventListener(type: 'message', listener: (event: Message) => void): void;
}

/** A WindowClient. */
interface Page {
  id: string;
  visibilityState: DocumentVisibilityState;
  postMessage(message: unknown): void;
}

interface Lasting {
  waitUntil(work: Promise<unknown>): void;
}

interface Fetching extends Lasting {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}

interface Message extends Lasting {
  /** What it says, or the version that it is of. */
  data: 'take-over' | { version: string };
  source: Page;
}

/** Put in by the build. */
declare const __SHELL__: string[];
declare const __VERSION__: string;
declare const __APP_PAGES__: Record<string, string>;

const worker = globalThis as unknown as WorkerScope;
const cacheName = `shell-${__VERSION__}`;
const files = new Set(__SHELL__);
const pageAt = Object.entries(__APP_PAGES__).map(([page, pattern]) => ({ page, pattern: new RegExp(pattern) }));

worker.addEventListener('install', (event) => event.waitUntil(fill()));

worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener('message', (event) => {
  const { data, source } = event;
  event.waitUntil(data === 'take-over' ? takeOver(source) : compare(data.version, source));
});

// The network is back, and something waits for it.
worker.addEventListener('sync', (event) => event.waitUntil(wake()));

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== worker.location.origin) return;
  const place = request.mode === 'navigate' && pageAt.find(({ pattern }) => pattern.test(pathname));
  if (place) event.respondWith(kept(place.page, request));
  else if (files.has(pathname)) event.respondWith(kept(pathname, request));
  else if (pathname.startsWith('/assets/')) event.respondWith(ofOlderPage(request));
});

/** All or nothing: with a file missing the worker is not installed, and the browser tries again later. */
async function fill(): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.addAll([...files].map((path) => new Request(path, { cache: 'no-cache' })));
}

/** Not behind the back of somebody who looks at another page. */
async function takeOver(asking: Page): Promise<void> {
  const inSight = (await pages()).some(({ visibilityState }) => visibilityState === 'visible');
  if (asking.visibilityState === 'visible' || !inSight) await worker.skipWaiting();
}

async function compare(version: string, asking: Page): Promise<void> {
  if (version !== __VERSION__) asking.postMessage('outdated');
  else if ((await pages()).every(({ id }) => id === asking.id)) await dropOlder();
}

async function dropOlder(): Promise<void> {
  const older = (await caches.keys()).filter((name) => name.startsWith('shell-') && name !== cacheName);
  // One of them may be of the version that comes next.
  if (worker.registration.installing || worker.registration.waiting) return;
  await Promise.all(older.map((name) => caches.delete(name)));
}

/** A page that the browser holds still hears it as soon as it may; the worker has no engine of its own. */
async function wake(): Promise<void> {
  for (const page of await pages()) page.postMessage('sync');
}

const pages = (): Promise<Page[]> => worker.clients.matchAll({ type: 'window', includeUncontrolled: true });

async function kept(path: string, request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  return (await cache.match(path)) ?? fetch(request);
}

const ofOlderPage = async (request: Request): Promise<Response> => (await caches.match(request)) ?? fetch(request);
