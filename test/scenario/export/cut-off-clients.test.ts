/** Clients that keep an export for too long. The tests move the clock of the server. */
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { openServer, type RunningServer } from '../../../server/app.ts';
import { download } from '../../contract/export/export-client.ts';
import { bodyProgress, openStalledReader, recordLargeRuns, sip } from '../../contract/export/slow-reader.ts';
import { spoolCount } from '../../contract/export/spool-count.ts';
import { Api, newApi, temporaryFolder } from '../../contract/fixture.ts';
import type { RawClient } from '../../contract/raw-client.ts';

const { dataDir, remove } = temporaryFolder();
let server: RunningServer;
let [api, other]: Api[] = [];
beforeAll(async () => {
  server = await openServer({ dataDir, port: 0, host: '127.0.0.1' });
  [api, other] = [await newApi(server), await newApi(server)];
  await recordLargeRuns(api);
  await server.close();
});
/** Opens the server on a clock that stands still until the test moves it. */
async function openOnHeldClock(toFake: ('setTimeout' | 'setInterval' | 'performance')[]): Promise<void> {
  vi.useFakeTimers({ toFake });
  server = await openServer({ dataDir, port: 0, host: '127.0.0.1' });
  [api, other] = [api!, other!].map(({ key, accountId }) => new Api({ url: server.url, key, accountId }));
}
afterEach(async () => {
  vi.useRealTimers();
  await server.close();
});
afterAll(remove);

const exportStatus = async (one: Api): Promise<number> => (await download(one, 'steps.csv')).status;

async function expectCutOff(readers: RawClient[]): Promise<void> {
  await expect.poll(() => spoolCount()).toBe(0);
  expect(await exportStatus(api!)).toBe(200);
  for (const { socket, ...reader } of readers) {
    socket.resume();
    if (!socket.destroyed) await once(socket, 'close');
    const { taken, promised } = bodyProgress(reader);
    expect(taken).toBeLessThan(promised);
  }
}

describe.skipIf(process.platform !== 'linux')('a client that keeps an export', () => {
  test('[EXPORT-46] [EXPORT-47] is cut off once it took nothing for 60 s, and others export meanwhile', async () => {
    await openOnHeldClock(['setInterval', 'performance']);
    const readers = [await openStalledReader(api!), await openStalledReader(api!)];
    // The first look of the server sees what they took until now.
    vi.advanceTimersByTime(10_000);
    vi.advanceTimersByTime(50_000);
    expect([await exportStatus(api!), await exportStatus(other!)]).toEqual([429, 200]);
    // The file of the other account closes after its last byte was read.
    await expect.poll(() => spoolCount()).toBe(2);
    vi.advanceTimersByTime(10_000);
    await expectCutOff(readers);
  });

  test('[EXPORT-46] is cut off after an hour, also while it reads', async () => {
    await openOnHeldClock(['setTimeout']);
    const readers = [await openStalledReader(api!), await openStalledReader(api!)];
    vi.advanceTimersByTime(59 * 60_000);
    await Promise.all(readers.map(sip));
    expect([await exportStatus(api!), await exportStatus(other!)]).toEqual([429, 200]);
    // The file of the other account closes after its last byte was read.
    await expect.poll(() => spoolCount()).toBe(2);
    vi.advanceTimersByTime(60_000);
    await expectCutOff(readers);
  });
});
