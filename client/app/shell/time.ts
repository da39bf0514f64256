import { useEffect, useState } from 'preact/hooks';

/** Returns the seconds since `iso`, or 0 without a time. For display only, since the device's clock may be wrong. */
export function useSecsSince(iso: string | undefined): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (iso === undefined) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [iso]);
  return iso === undefined ? 0 : Math.max(0, (now - Date.parse(iso)) / 1000);
}
