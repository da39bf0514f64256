/**
 * Asks the browser for Background Sync: once the network is back, the browser wakes the service worker, which tells all
 * open pages to sync. Does nothing in a browser without Background Sync.
 */
import type { Gemba, Status } from '../../client.ts';
import type { MessageToPage } from './service-worker/messages.ts';

export function startBackgroundSync(gemba: Gemba): void {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  let status: Status | undefined;
  let registered = false;
  const registerIfNeeded = () => {
    const isStuck = document.hidden || status?.phase === 'offline' || status?.phase === 'waiting';
    const isNeeded = isStuck && Boolean(status?.pending);
    if (isNeeded && !registered) void registerBackgroundSync(serviceWorker);
    registered = isNeeded;
  };
  gemba.status$.subscribe((newStatus) => {
    status = newStatus;
    registerIfNeeded();
  });
  document.addEventListener('visibilitychange', registerIfNeeded);
  serviceWorker.addEventListener('message', ({ data }: MessageEvent<MessageToPage>) => {
    if (data !== 'sync') return;
    registered = false;
    void gemba.sync();
  });
}

async function registerBackgroundSync(serviceWorker: ServiceWorkerContainer): Promise<void> {
  const registration: RegistrationWithSync = await serviceWorker.ready;
  // Without permission for Background Sync, the app syncs only while it is open.
  await registration.sync?.register('unsent').catch(() => undefined);
}

interface RegistrationWithSync extends ServiceWorkerRegistration {
  sync?: { register(tag: string): Promise<void> };
}
