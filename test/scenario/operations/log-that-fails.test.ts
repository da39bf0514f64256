/** The log of a real server process on a full disk, on a pipe that nobody reads, and at the end of the process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { programArgs } from '../../programs.ts';
import { temporaryFolder } from '../../contract/fixture.ts';

const fullDevice = '/dev/full';
const endMsMax = 10_000;

/** Starts a server that logs each request to `stderr`. */
async function startLogging(stderr: number | 'pipe') {
  const { dataDir, remove } = temporaryFolder();
  const child = spawn(process.execPath, programArgs('server/main'), {
    env: { PATH: process.env['PATH'], PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', stderr],
  });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    remove();
  });
  let text = '';
  const url = await new Promise<string>((resolve) => {
    child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const found = /listening on (\S+)/.exec(text)?.[1];
      if (found) resolve(found);
    });
  });
  const get = (requestId: string) => fetch(`${url}/healthz`, { headers: { 'X-Request-Id': requestId } });
  const stop = async () => {
    child.kill('SIGTERM');
    const timeout = setTimeout(() => child.kill('SIGKILL'), endMsMax);
    const [code] = await ended;
    clearTimeout(timeout);
    return code as number | null;
  };
  return { get, stop };
}

/** The pipe and its reader take less than 300 kB, and each of these requests has a line of more than 250 bytes. */
const roundsBeyondPipe = 30;
const requestsAtOnce = 50;
const longId = 'x'.repeat(120);

test.skipIf(!existsSync(fullDevice))(
  '[OPS-24] [OPS-26] a server whose log is on a full disk serves on, and ends when it should',
  async () => {
    const full = openSync(fullDevice, 'w');
    const server = await startLogging(full);
    closeSync(full);
    for (let count = 0; count < 20; count++) expect((await server.get(`full-${count}`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
  },
);

test('[OPS-24] [OPS-26] a server whose log nobody reads serves on, and ends when it should', async () => {
  const server = await startLogging('pipe');
  for (let round = 0; round < roundsBeyondPipe; round++) {
    const requests = Array.from({ length: requestsAtOnce }, (_, index) => server.get(`${longId}-${index}`));
    for (const response of await Promise.all(requests)) expect(response.status).toBe(200);
  }
  expect(await server.stop()).toBe(0);
});

test('[OPS-26] the line of the last request before the end is in the log', async () => {
  const { dataDir, remove } = temporaryFolder();
  onTestFinished(remove);
  const file = join(dataDir, 'server.log');
  const log = openSync(file, 'a');
  const server = await startLogging(log);
  closeSync(log);
  const ids = Array.from({ length: 50 }, (_, index) => `last-${index}`);
  await Promise.all(ids.map(async (id) => (await server.get(id)).text()));
  expect(await server.stop()).toBe(0);
  const text = readFileSync(file, 'utf8');
  expect(ids.filter((id) => text.split(`"${id}"`).length !== 2)).toEqual([]);
});

test('[OPS-26] the lines before a bug that ends the process are in the log', async () => {
  const { dataDir, remove } = temporaryFolder();
  onTestFinished(remove);
  const file = join(dataDir, 'bug.log');
  const log = openSync(file, 'a');
  const module = JSON.stringify(join(import.meta.dirname, '../../../server/observe/log-writer.ts'));
  const program = `import { openLogWriter } from ${module};
    const writer = openLogWriter(2);
    for (let number = 0; number < 1_000; number++) writer.write('line ' + number + '\\n');
    process.nextTick(() => { throw new Error('a bug'); });`;
  const args = ['--import', 'tsx', '--input-type=module', '--eval', program];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', log] });
  closeSync(log);
  await once(child, 'exit');
  const lines = readFileSync(file, 'utf8').split('\n');
  for (let number = 0; number < 1_000; number++) expect(lines).toContain(`line ${number}`);
});
