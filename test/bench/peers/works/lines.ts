/** Contenders that run, each behind a line of its own. */
import { openLine, type Line } from '../../line.ts';
import type { RunningContender } from '../contender.ts';
import type { SyncSubject } from '../devices/all.ts';

export interface LinedContender {
  running: RunningContender;
  line: Line;
}

export const freeLine = { roundTripMs: 0, bytesPerSecMax: Number.POSITIVE_INFINITY };
export const farLine = { roundTripMs: 60, bytesPerSecMax: Number.POSITIVE_INFINITY };
export const slowLine = { roundTripMs: 80, bytesPerSecMax: 500_000 };

/** Starts all, calls `work` and stops them, whether it succeeds or not. */
export async function withLined<Result>(
  subjects: Record<string, SyncSubject>,
  dataDir: (name: string) => string,
  work: (lined: Map<string, LinedContender>) => Promise<Result>,
): Promise<Result> {
  const lined = new Map<string, LinedContender>();
  try {
    for (const [name, { contender }] of Object.entries(subjects)) {
      const running = await contender.start(dataDir('peers'));
      lined.set(name, { running, line: await openLine(running.url, { defaultPort: 80 }) });
    }
    return await work(lined);
  } finally {
    for (const { running, line } of lined.values()) {
      await line.close();
      await running.stop();
    }
  }
}
