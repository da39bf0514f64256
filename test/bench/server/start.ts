/** From `npm start` until the server is ready, with data and nothing to build, beside a server that only opens the file. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { assert } from '../../../shared/domain/assert.ts';
import { findFreePort } from '../../free-port.ts';
import { ratioOf, spreadOf, takeTurns, type Samples } from '../measure.ts';
import { BenchDevice } from '../recordings.ts';
import { pushOver, startServerProcess } from '../server-process.ts';
import type { Setting } from '../setting.ts';
import { spreadText, type FigureTable } from '../table.ts';
import { processorSecsOf } from './processor-time.ts';

const root = join(import.meta.dirname, '../../..');
const commands = {
  npm: ['npm', 'start'],
  node: [process.execPath, 'tools/start.js'],
  bare: [process.execPath, 'test/bench/server/bare-store.js'],
};

/** Seconds until ready, in each round. */
export type StartFigures = Samples<keyof typeof commands>;

/** The round that does not count builds what is not built. */
export async function measureStartFigures({ smoke, dataDir }: Setting): Promise<StartFigures> {
  const folder = dataDir('start');
  await fillWithRuns(folder, smoke ? 100 : 5_000);
  const sample = (command: string[]) => async () => (await measureStart(command, { dataDir: folder, cwd: root })).secs;
  return takeTurns(
    { npm: sample(commands.npm), node: sample(commands.node), bare: sample(commands.bare) },
    { rounds: smoke ? 1 : 7 },
  );
}

export async function measureStarts(setting: Setting): Promise<FigureTable> {
  const figures = await measureStartFigures(setting);
  const rowOf = (name: string, secs: number[]) => [
    name,
    spreadText(spreadOf(secs), ' s'),
    spreadText(ratioOf(secs, figures.bare)),
  ];
  return {
    title: 'Start',
    about:
      'From the start of the process until `/readyz` is 200, with data in the embedded database and nothing to build.\nThe bare server opens the same file and listens.',
    head: ['command', 'ready after', 'to bare server'],
    rows: [
      rowOf('npm start', figures.npm),
      rowOf('node tools/start.js', figures.node),
      rowOf('bare server', figures.bare),
    ],
  };
}

export async function fillWithRuns(dataDir: string, runs: number): Promise<void> {
  const server = await startServerProcess({ dataDir });
  const headers = await server.newAccount();
  const device = new BenchDevice();
  await pushOver(server.url, headers, device.mapBatch());
  for (let made = 0; made < runs; made += 100) await pushOver(server.url, headers, device.recordings(100));
  await server.stop();
}

interface StartOptions {
  dataDir: string;
  cwd: string;
}

/** Returns the seconds until the server is ready, by the clock and of the processor. */
export async function measureStart(
  [command = '', ...args]: string[],
  { dataDir, cwd }: StartOptions,
): Promise<{ secs: number; processorSecs: number }> {
  const port = await findFreePort();
  const startedAt = performance.now();
  const child = spawn(command, args, {
    cwd,
    // npm starts further processes, so the signal at the end goes to the group.
    detached: true,
    env: { ...process.env, HOST: '127.0.0.1', PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: '' },
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  while (!(await isReady(port))) {
    assert(child.exitCode === null, `${command} ${args.join(' ')} ended with ${child.exitCode}`);
    await sleep(pollMs);
  }
  const secs = (performance.now() - startedAt) / 1000;
  assert(child.pid !== undefined, 'a server that replies has a process');
  const processorSecs = process.platform === 'linux' ? await processorSecsOf(child.pid) : Number.NaN;
  process.kill(-child.pid, 'SIGTERM');
  await exited;
  return { secs, processorSecs };
}

const pollMs = 5;

function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    get({ port, host: '127.0.0.1', path: '/readyz', agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).on('error', () => resolve(false));
  });
}
