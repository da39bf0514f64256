/**
 * `npm run fleet`: 10,000 simulated devices with a day of field work against two server processes on PostgreSQL, or with
 * `-- --sqlite` against one on SQLite. `--devices N --minutes M --seed S --smoke`. It listens on loopback only, stops by
 * itself, and ends its processes on Ctrl-C, too. The exit code is 1 if a recording is not stored once and in order.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { printTable } from '../bench/table.ts';
import { postgresMissing, startPostgres, type TestPostgres } from '../postgres.ts';
import { hasBundles, makeBundles } from '../programs.ts';
import { parseOptions, type LoadOptions } from './options.ts';
import { summaryOf, tablesOf } from './report.ts';
import { runLoad, type LoadResult } from './run-load.ts';
import { startServers, type LoadServers } from './servers.ts';

const problemsShownMax = 20;
const stopSignals = ['SIGINT', 'SIGTERM'] as const;
const exitCodeOfSignal = 130;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const parsed = parseOptions(process.argv.slice(2));
if (parsed.ok) process.exit(await load(parsed.options));
process.stderr.write(`fleet: ${parsed.problem}\n`);
process.exit(1);

/** Resolves with the exit code, after all that was started has ended. */
async function load(options: LoadOptions): Promise<number> {
  const stopped = new Promise<'stopped'>((resolve) => {
    for (const signal of stopSignals) process.once(signal, () => resolve('stopped'));
  });
  const folder = await mkdtemp(join(tmpdir(), 'gemba-fleet-'));
  const bundles = hasBundles() ? undefined : await makeBundles(['server/main']);
  let postgres: TestPostgres | undefined;
  let servers: LoadServers | undefined;
  try {
    if (!options.sqlite) {
      postgres = await startPostgres();
      if (!postgres) throw new Error(`${postgresMissing}, or use --sqlite`);
    }
    servers = await startServers({ folder, databaseUrl: await postgres?.createDatabase() });
    say(headOf(options, servers));
    const result = await Promise.race([runLoad(options, { servers, say }), stopped]);
    if (result === 'stopped') return exitCodeOfSignal;
    return report(result);
  } catch (error) {
    process.stderr.write(`fleet: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  } finally {
    await servers?.stop();
    await postgres?.stop();
    await rm(folder, { recursive: true, force: true });
    if (bundles !== undefined) await rm(bundles, { recursive: true, force: true });
  }
}

function headOf({ devices, minutes, seed, sqlite, smoke }: LoadOptions, { pids }: LoadServers): string {
  const where = sqlite ? 'SQLite' : 'PostgreSQL';
  return [
    `${devices} devices, a day of ${minutes} minutes, ${pids.length} server process(es) on ${where}, seed ${seed}.`,
    `Node ${process.version}, ${cpus().length} processors (${cpus()[0]?.model ?? 'unknown'}).`,
    `Server processes: ${pids.join(' ')}${smoke ? '. A smoke run: its figures mean nothing' : ''}.`,
  ].join('\n');
}

function report(result: LoadResult): number {
  for (const table of tablesOf(result)) printTable(table);
  say('');
  for (const line of summaryOf(result)) say(line);
  for (const problem of result.problems.slice(0, problemsShownMax)) say(problem);
  return result.problems.length === 0 ? 0 : 1;
}
