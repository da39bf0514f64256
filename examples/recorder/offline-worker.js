// Answers with the files of the build, so that the page opens without a network. `vite.config.js` puts `files` before this.
// A new build waits until all its pages are closed, as a page may still load files of its own build.
const cacheName = files.join();

addEventListener('install', (event) => event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(files))));

addEventListener('activate', (event) => event.waitUntil(Promise.all([removeOldCaches(), clients.claim()])));

addEventListener('fetch', (event) => {
  const { request } = event;
  // What the server of Gemba has at the same address is none of the app.
  if (request.method !== 'GET' || /^\/(?:api|docs)(?:\/|$)/.test(new URL(request.url).pathname)) return;
  const file = request.mode === 'navigate' ? '/' : request;
  event.respondWith(caches.match(file).then((kept) => kept ?? fetch(request)));
});

async function removeOldCaches() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== cacheName).map((name) => caches.delete(name)));
}
