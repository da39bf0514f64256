import { useEffect } from 'preact/hooks';

/**
 * Keeps the screen on while the view is shown. The browser releases the lock of a hidden page, so a visible page
 * requests the lock again.
 */
export function useWakeLock(): void {
  useEffect(() => {
    if (!('wakeLock' in navigator)) return undefined;
    let unmounted = false;
    let lock: WakeLockSentinel | undefined;
    const request = async () => {
      if (document.hidden) return;
      // At a low battery the system refuses the lock. The recording goes on, and the screen turns off as usual.
      const acquired = await navigator.wakeLock.request('screen').catch(() => undefined);
      if (unmounted) void acquired?.release();
      else lock = acquired;
    };
    void request();
    document.addEventListener('visibilitychange', request);
    return () => {
      unmounted = true;
      document.removeEventListener('visibilitychange', request);
      void lock?.release();
    };
  }, []);
}
