/** Simulates many seeds of the relay for `npm run simulate -- --relay`, one after another in this process. */
import { simulateRelay } from './simulate-relay.ts';

interface RunOptions {
  from: number;
  seeds: number;
  say: (line: string) => void;
  isOver: () => boolean;
}

const progressEverySeeds = 25;

/** Resolves to whether each seed passed. */
export async function runRelay({ from, seeds, say, isOver }: RunOptions): Promise<boolean> {
  const faults = new Map<string, number>();
  let [recordings, crashes, restores, failed, done] = [0, 0, 0, 0, 0];
  for (let seed = from; seed < from + seeds && !isOver(); seed++) {
    const outcome = await simulateRelay(seed);
    done++;
    recordings += outcome.recordings;
    crashes += outcome.crashes;
    restores += outcome.restores;
    for (const fault of outcome.faultsMet) faults.set(fault, (faults.get(fault) ?? 0) + 1);
    if (outcome.failures.length > 0) {
      failed++;
      say(`${outcome.trace.join('\n')}\nseed ${seed} fails:\n${outcome.failures.join('\n')}`);
    }
    if (done % progressEverySeeds === 0) say(`${done} of ${seeds} seeds`);
  }
  say(`${done} seeds, ${recordings} recordings, ${crashes} crashes, ${restores} restores, ${failed} failed`);
  say([...faults].map(([fault, count]) => `${fault} ${count}`).join(', '));
  return failed === 0;
}
