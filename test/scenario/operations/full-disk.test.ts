import { execFileSync, spawn } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { openServer } from '../../../server/app.ts';
import { programArgs } from '../../programs.ts';
import { Api, expectProblem, newApi, temporaryFolder } from '../../contract/fixture.ts';

function isPrlimitInstalled(): boolean {
  try {
    execFileSync('prlimit', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    process.stderr.write('Skipped: no prlimit, so a disk cannot be made full\n');
    return false;
  }
}

test.skipIf(!isPrlimitInstalled())(
  '[OPS-8] [OPS-19] [OPS-11] while the disk is full reads go on, writes are 503 with Retry-After, and work once there is room again',
  async () => {
    const { dataDir, remove } = temporaryFolder();
    onTestFinished(remove);
    const before = await openServer({ dataDir, port: 0, host: '127.0.0.1' });
    const { key, accountId } = await newApi(before);
    await before.close();
    // SQLite sees the soft limit on file size as a full disk.
    const program = [process.execPath, ...programArgs('server/main')];
    const limited = ['-c', 'ulimit -S -f 2000 && exec "$@"', 'limited', ...program];
    const env = { PATH: process.env['PATH'], PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'silent' };
    const child = spawn('/bin/sh', limited, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const url = await new Promise<string>((resolve, reject) => {
      let text = '';
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        const found = /listening on (\S+)/.exec(text)?.[1];
        if (found) resolve(found);
      });
      child.once('exit', () => reject(new Error(`the server ended: ${text}`)));
    });
    const api = new Api({ url, key, accountId });
    const write = () => api.post('/api/v1/maps', { name: 'Map', description: 'x'.repeat(9_000) });
    const first = await write();
    expect(first.status).toBe(201);
    let last = first;
    for (let count = 0; last.status === 201 && count < 500; count++) last = await write();
    expectProblem(last, 503, 'unavailable');
    expect(Number(last.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(last.headers.get('RateLimit-Policy')).toBe('"default";q=600;w=60');
    expect((await api.get(`/api/v1/maps/${first.body.id}`)).status).toBe(200);
    expectProblem(await write(), 503, 'unavailable');
    const readiness = async () => (await api.get('/readyz')).status;
    // The write of the readiness check is smaller and may still fit at first.
    const afterWrite = async () => {
      await write();
      return readiness();
    };
    await expect.poll(afterWrite).toBe(503);

    execFileSync('prlimit', ['--pid', String(child.pid), '--fsize=unlimited:']);
    await expect.poll(readiness).toBe(200);
    expect((await write()).status).toBe(201);
    expect((await api.get(`/api/v1/maps/${first.body.id}`)).status).toBe(200);
  },
);
