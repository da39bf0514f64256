import { useEffect } from 'preact/hooks';

/** Keeps the screen lit while the view is shown. The system releases the lock whenever the page is hidden. */
export function useWakeLock(): void {
  useEffect(() => {
    if (!('wakeLock' in navigator)) return undefined;
    let unmounted = false;
    let lock: WakeLockSentinel | undefined;
    const request = async () => {
      if (document.hidden) return;
      // The system refuses at a low battery; the screen then turns off as usual, and the recording goes on.
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
