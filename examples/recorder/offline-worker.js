// Answers with the files of the build, so that the page opens without a network. `vite.config.js` puts `build` and
// `files` before this.
// A new build waits until all its pages are closed, as a page may still load files of its own build.
const prefix = 'recorder-';
const cacheName = prefix + build;

addEventListener('install', (event) => event.waitUntil(keepFiles()));

addEventListener('activate', (event) => event.waitUntil(Promise.all([removeOldCaches(), clients.claim()])));

addEventListener('fetch', (event) => {
  const { request } = event;
  // What the server of Gemba has at the same address is not part of the app.
  if (request.method !== 'GET' || /^\/(?:api|docs)(?:\/|$)/.test(new URL(request.url).pathname)) return;
  const file = request.mode === 'navigate' ? '/' : request;
  event.respondWith(caches.match(file, { cacheName }).then((kept) => kept ?? fetch(request)));
});

async function keepFiles() {
  const cache = await caches.open(cacheName);
  // The browser's own cache may still have the page of an earlier build.
  await cache.addAll(files.map((file) => new Request(file, { cache: 'reload' })));
}

/** Leaves what other programs at this address have. */
async function removeOldCaches() {
  const old = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== cacheName);
  await Promise.all(old.map((name) => caches.delete(name)));
}
