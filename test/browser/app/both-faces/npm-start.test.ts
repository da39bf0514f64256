import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../contract/fixture.ts';

test('[APP-25] npm start builds the app and serves it, also where npm leaves out the scripts around others', async () => {
  const { dataDir, remove } = temporaryFolder();
  const root = new URL('../../../..', import.meta.url);
  rmSync(new URL('dist', root), { recursive: true, force: true });
  const env = { ...process.env, npm_config_ignore_scripts: 'true', DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1' };
  // Start a process group, so that the test can end all processes that npm starts.
  const child = spawn('npm', ['start'], { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    process.kill(-child.pid!, 'SIGTERM');
    await exited;
    remove();
  });
  const url = await listeningAt(createInterface({ input: child.stdout }));
  const app = await fetch(url);
  expect([app.status, app.headers.get('Content-Type')]).toEqual([200, expect.stringContaining('text/html')]);
});

async function listeningAt(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const url = /listening on (\S+)/.exec(line)?.[1];
    if (url) return url;
  }
  throw new Error('npm start ended without listening');
}
