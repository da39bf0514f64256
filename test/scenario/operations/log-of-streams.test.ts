import { expect, onTestFinished, test } from 'vitest';
import { openServer } from '../../../server/app.ts';
import { openLog } from '../../../server/observe/log.ts';
import { newApi, temporaryFolder } from '../../contract/fixture.ts';
import { protocol } from '../../contract/sync-client.ts';

test('[OPS-2] an event stream has its line when it ends, and no time in the metrics', async () => {
  const { dataDir, remove } = temporaryFolder();
  const lines: string[] = [];
  const log = openLog('info', { write: (line) => void lines.push(line) });
  const server = await openServer({ dataDir, port: 0, host: '127.0.0.1', log });
  onTestFinished(() => server.close().finally(remove));
  const api = await newApi(server);
  const leaving = new AbortController();
  const stream = await fetch(`${server.url}/api/v1/sync/events`, {
    headers: { ...protocol, Authorization: `Bearer ${api.key}`, 'X-Request-Id': 'stream-1' },
    signal: leaving.signal,
  });
  await stream.body!.getReader().read();
  leaving.abort();
  const lineOfStream = () => lines.find((line) => line.includes('"request_id":"stream-1"'));
  await expect.poll(lineOfStream).toBeDefined();
  expect(JSON.parse(lineOfStream()!)).toMatchObject({
    method: 'GET',
    route: '/api/v1/sync/events',
    status: 200,
    account_id: api.accountId,
  });
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  expect(metrics).not.toContain('route="/api/v1/sync/events"');
});
