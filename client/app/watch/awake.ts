import { useEffect } from 'preact/hooks';

/** Keeps the screen lit as long as the view is there. The system takes that back whenever the app is hidden. */
export function useAwake(): void {
  useEffect(() => {
    if (!('wakeLock' in navigator)) return undefined;
    let gone = false;
    let lock: WakeLockSentinel | undefined;
    const ask = async () => {
      if (document.hidden) return;
      // Refused when the battery is low: then the screen goes dark as it always does, and the recording goes on.
      const given = await navigator.wakeLock.request('screen').catch(() => undefined);
      if (gone) void given?.release();
      else lock = given;
    };
    void ask();
    document.addEventListener('visibilitychange', ask);
    return () => {
      gone = true;
      document.removeEventListener('visibilitychange', ask);
      void lock?.release();
    };
  }, []);
}
