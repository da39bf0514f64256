/**
 * The service worker: keeps the files of one build, so that the app opens without a network.
 *
 *   install ─► all files of the build in a cache of its own ─► waits ─── the app says when ──► activate: older caches go
 *
 * A page never gets files of two builds: the cache changes only when this worker takes over, and then the app loads anew.
 * What is not a file of the build, the API first of all, goes past it.
 */

/** The parts of a ServiceWorkerGlobalScope that are used; the compiler's library for it contradicts that of pages. */
interface WorkerScope {
  location: Location;
  clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: Lasting) => void): void;
  addEventListener(type: 'fetch', listener: (event: Fetching) => void): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void;
}

interface Lasting {
  waitUntil(work: Promise<unknown>): void;
}

interface Fetching extends Lasting {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}

/** Put in by the build. */
declare const __SHELL__: string[];
declare const __VERSION__: string;
declare const __APP_PATHS__: string;

const worker = globalThis as unknown as WorkerScope;
const cacheName = `shell-${__VERSION__}`;
const files = new Set(__SHELL__);
const appPaths = new RegExp(__APP_PATHS__);

worker.addEventListener('install', (event) => event.waitUntil(fill()));

worker.addEventListener('activate', (event) => event.waitUntil(takeOver()));

worker.addEventListener('message', ({ data }) => {
  if (data === 'take-over') void worker.skipWaiting();
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== worker.location.origin) return;
  if (request.mode === 'navigate' && appPaths.test(pathname)) event.respondWith(kept('/index.html', request));
  else if (files.has(pathname)) event.respondWith(kept(pathname, request));
});

/** All or nothing: with a file missing the worker is not installed, and the browser tries again later. */
async function fill(): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.addAll(__SHELL__.map((path) => new Request(path, { cache: 'no-cache' })));
}

async function takeOver(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith('shell-') && name !== cacheName).map((name) => caches.delete(name)),
  );
  await worker.clients.claim();
}

async function kept(path: string, request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  return (await cache.match(path)) ?? fetch(request);
}
