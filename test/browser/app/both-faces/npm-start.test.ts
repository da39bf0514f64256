import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, statSync, utimesSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../contract/fixture.ts';

const root = new URL('../../../..', import.meta.url);
const page = new URL('dist/index.html', root);

test('[APP-25] [SERVER-35] npm start builds the app and serves it, also where npm leaves out the scripts around others, and builds again only after a change', async () => {
  rmSync(new URL('dist', root), { recursive: true, force: true });
  const first = await startByNpm();
  const app = await fetch(first.url);
  expect([app.status, app.headers.get('Content-Type')]).toEqual([200, expect.stringContaining('text/html')]);
  await first.stop();
  const builtAt = statSync(page).mtimeMs;
  await (await startByNpm()).stop();
  expect(statSync(page).mtimeMs).toBe(builtAt);
  utimesSync(new URL('client/app/index.html', root), new Date(), new Date());
  await (await startByNpm()).stop();
  expect(statSync(page).mtimeMs).toBeGreaterThan(builtAt);
});

async function startByNpm(): Promise<{ url: string; stop: () => Promise<void> }> {
  const { dataDir, remove } = temporaryFolder();
  const env = { ...process.env, npm_config_ignore_scripts: 'true', DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1' };
  // Start a process group, so that the test can end all processes that npm starts.
  const child = spawn('npm', ['start'], { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  let stopping: Promise<void> | undefined;
  const stop = () =>
    (stopping ??= (async () => {
      process.kill(-child.pid!, 'SIGTERM');
      await exited;
      remove();
    })());
  onTestFinished(stop);
  return { url: await listeningAt(createInterface({ input: child.stdout })), stop };
}

async function listeningAt(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const url = /listening on (\S+)/.exec(line)?.[1];
    if (url) return url;
  }
  throw new Error('npm start ended without listening');
}
