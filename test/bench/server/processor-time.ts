/** The processor's time of processes, which says more than the clock on a machine with other work. Linux alone tells it. */
import { readdir, readFile } from 'node:fs/promises';

const ticksPerSec = 100;

/** Seconds that the processes of a group took so far, with those of their children that have ended. */
export async function processorSecsOf(group: number): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')));
  let ticks = 0;
  for (const stat of stats) {
    // The name of the program, in brackets, may have spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [, , processGroup] = fields;
    if (Number(processGroup) === group) for (const field of fields.slice(11, 15)) ticks += Number(field);
  }
  return ticks / ticksPerSec;
}
