/** The processor time that a server process and its PostgreSQL take, which other work on the machine hardly changes. */
import { readUsage } from '../../fleet-load/measure/process-usage.ts';

export interface ProcessorMs {
  server: number;
  /** NaN without PostgreSQL, or where it runs elsewhere. */
  postgres: number;
}

export interface MeasuredProcesses {
  serverPid: number;
  postgresPid: number | undefined;
}

export async function measureProcessorMs(
  { serverPid, postgresPid }: MeasuredProcesses,
  work: () => Promise<unknown>,
): Promise<ProcessorMs> {
  const read = () => {
    const { servers, postgres } = readUsage({ serverPids: [serverPid], postgresPid });
    return { server: 1_000 * (servers[0] ?? Number.NaN), postgres: 1_000 * postgres };
  };
  const before = read();
  await work();
  const after = read();
  return { server: after.server - before.server, postgres: after.postgres - before.postgres };
}

export const msText = (ms: number): string => (Number.isNaN(ms) ? '-' : ms.toFixed(ms < 10 ? 1 : 0));
