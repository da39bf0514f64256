/** The service worker of the site: it keeps the files of one build, so that the site reads without a network. */

/** The parts of ServiceWorkerGlobalScope that this file uses. */
interface WorkerScope {
  registration: { scope: string };
  clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: WorkerEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: WorkerFetchEvent) => void): void;
}

interface WorkerEvent {
  waitUntil(work: Promise<unknown>): void;
}

interface WorkerFetchEvent extends WorkerEvent {
  request: Request;
  respondWith(response: Promise<Response>): void;
}

declare const self: WorkerScope;
/** The build defines these constants. */
declare const __FILES__: string[];
declare const __VERSION__: string;

const { scope } = self.registration;
/** Another site of the same origin has another scope. */
const cachePrefix = `guide-${new URL(scope).pathname}-`;
const cacheName = cachePrefix + __VERSION__;

self.addEventListener('install', (event) => event.waitUntil(cacheFiles().then(() => self.skipWaiting())));

self.addEventListener('activate', (event) => event.waitUntil(deleteOtherCaches().then(() => self.clients.claim())));

self.addEventListener('fetch', (event) => {
  const { method, url } = event.request;
  if (method === 'GET' && url.startsWith(scope)) event.respondWith(fromNetworkOrCache(event.request));
});

/** If one file fails, the installation fails, and the browser tries again later. */
async function cacheFiles(): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.addAll(__FILES__.map((file) => new Request(new URL(file, scope), { cache: 'no-cache' })));
}

async function deleteOtherCaches(): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(cachePrefix) && name !== cacheName);
  await Promise.all(names.map((name) => caches.delete(name)));
}

/** Asks the network first, so that a reader with a network never gets an old page. */
async function fromNetworkOrCache(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  const { origin, pathname } = new URL(request.url);
  const key = `${origin}${pathname}${pathname.endsWith('/') ? 'index.html' : ''}`;
  try {
    const response = await fetch(request);
    // A page that cannot be kept is read all the same.
    if (response.status === 200) void cache.put(key, response.clone()).catch(() => undefined);
    return response;
  } catch (error) {
    const cached = await cache.match(key);
    if (cached) return cached;
    throw error;
  }
}
