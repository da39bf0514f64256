import type { BrowserDevice } from './device.ts';
import { untilIdle } from './verbs.ts';

/** Opens two tabs, of which `a` leads. The test fires the timers of those in `manualTimers`. */
export async function openTwoTabs(
  { start }: BrowserDevice,
  { manualTimers = [] }: { manualTimers?: ('a' | 'b')[] } = {},
) {
  const { browser, tabs } = await start();
  const a = await tabs.open('a', { manualTimers: manualTimers.includes('a') });
  await untilIdle(a);
  return { browser, tabs, a, b: await tabs.open('b', { manualTimers: manualTimers.includes('b') }) };
}
