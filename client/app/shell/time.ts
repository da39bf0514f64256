import { useEffect, useState } from 'preact/hooks';

/** Of the device's clock, renewed each second; 0 without a start. It is for the eye: the engine measures by itself. */
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
