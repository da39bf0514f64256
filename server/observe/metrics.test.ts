import { expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';

test.each([
  ['process_cpu_seconds_total', ({ user, system }: NodeJS.CpuUsage) => user + system],
  ['process_cpu_user_seconds_total', ({ user }: NodeJS.CpuUsage) => user],
  ['process_cpu_system_seconds_total', ({ system }: NodeJS.CpuUsage) => system],
])('%s counts from the start of the process, not from the first scrape', async (name, micros) => {
  const metrics = createMetrics();
  const read = async () => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await metrics.text())?.[1]);
  const secs = () => micros(process.cpuUsage()) / 1e6;
  for (let scrapes = 0; scrapes < 2; scrapes++) {
    const before = secs();
    const counted = await read();
    // The counters miss what their making takes.
    expect(counted).toBeGreaterThan(before - 0.02);
    expect(counted).toBeLessThan(secs() + 0.02);
  }
});
