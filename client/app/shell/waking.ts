/** Background Sync, where the browser has it: when there is a network again it wakes the pages of the app, hidden ones too. */
import type { Gemba, Status } from '../../client.ts';

export function startWaking(gemba: Gemba): void {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  let status: Status | undefined;
  let asked = false;
  const look = () => {
    const waits = document.hidden || status?.phase === 'offline' || status?.phase === 'waiting';
    const wants = waits && Boolean(status?.pending);
    if (wants && !asked) void askToBeWoken(serviceWorker);
    asked = wants;
  };
  gemba.status$.subscribe((it) => {
    status = it;
    look();
  });
  document.addEventListener('visibilitychange', look);
  serviceWorker.addEventListener('message', ({ data }) => {
    if (data !== 'sync') return;
    asked = false;
    void gemba.sync();
  });
}

async function askToBeWoken(serviceWorker: ServiceWorkerContainer): Promise<void> {
  const registration = (await serviceWorker.ready) as ServiceWorkerRegistration & { sync?: SyncManager };
  // Who may not be woken syncs as ever: when the app is open.
  await registration.sync?.register('unsent').catch(() => undefined);
}

interface SyncManager {
  register(tag: string): Promise<void>;
}
