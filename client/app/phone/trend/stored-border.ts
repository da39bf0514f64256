/** The point that divides the trend of a map into before and after, as this device stores it. */
import { useState } from 'preact/hooks';
import { readPageStorage, writePageStorage } from '../../shell/page-storage.ts';
import type { TrendBorder } from './before-after.ts';

export function useStoredTrendBorder(mapId: string) {
  const key = `gemba-trend-${mapId}`;
  const [border, setBorder] = useState(() => parseBorder(readPageStorage('localStorage', key) ?? ''));
  const store = (changed: TrendBorder | undefined) => {
    setBorder(changed);
    writePageStorage('localStorage', key, storedTextOf(changed));
  };
  return [border, store] as const;
}

/** Returns the text to store: a day as 2026-11-03, a run as its id, no border as ''. */
const storedTextOf = (border: TrendBorder | undefined): string =>
  border === undefined ? '' : 'date' in border ? border.date : String(border.runId);

function parseBorder(text: string): TrendBorder | undefined {
  if (/^\d{4,6}-\d\d-\d\d$/.test(text)) return { date: text };
  return /^\d+$/.test(text) ? { runId: Number(text) } : undefined;
}
