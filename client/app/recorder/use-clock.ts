import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Recorded } from '../../client.ts';
import { secsPerCentiminute, timeNotation } from '../text/format.ts';

type ClockReading = Recorded['clock'];

const msPerTenth = 100;
const msPerSecond = 1_000;
const msPerCentiminute = secsPerCentiminute * 1_000;

/**
 * Returns the seconds on the clock. Ticks each tenth of a second, each second or each centiminute, but not in a hidden
 * page. Measures by the wall clock and by the monotonic clock, and takes the longer duration, as the engine does.
 */
export function useClockSecs({ secs, since }: ClockReading, { tenths = false }: { tenths?: boolean } = {}): number {
  const [now, setNow] = useState(readClocks);
  const first = useMemo(readClocks, [since]);
  useEffect(() => {
    if (since === null) return undefined;
    const tick = () => document.hidden || setNow(readClocks());
    setNow(readClocks());
    const wholeMs = timeNotation() === 'clock' ? msPerSecond : msPerCentiminute;
    const timer = setInterval(tick, tenths ? msPerTenth : wholeMs);
    return () => clearInterval(timer);
  }, [since, tenths]);
  const wallMs = Math.max(now.wallMs, first.wallMs + now.monotonicMs - first.monotonicMs);
  return Math.max(0, secs + (since === null ? 0 : (wallMs - Date.parse(since)) / 1_000));
}

const readClocks = () => ({ wallMs: Date.now(), monotonicMs: performance.now() });

/** Returns the seconds of the ended steps, without pauses. */
export const secsOfEndedSteps = ({ steps }: Pick<Recorded, 'steps'>): number =>
  steps.reduce((sum, { duration_secs }) => sum + (duration_secs ?? 0), 0);
