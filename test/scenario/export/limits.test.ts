/** Exports that take too long, or have no room on the disk. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openServer, type RunningServer } from '../../../server/app.ts';
import { exportRuns } from '../../../server/export/export-runs.ts';
import { download } from '../../contract/export/export-client.ts';
import { expectProblem, newApi, temporaryFolder, type Api } from '../../contract/fixture.ts';

const { dataDir, remove } = temporaryFolder();
let server: RunningServer;
let api: Api;
beforeAll(async () => {
  server = await openServer({ dataDir, port: 0, host: '127.0.0.1' });
  api = await newApi(server);
  const notes = 'n'.repeat(9_000);
  const steps = Array.from({ length: 100 }, (_, order) => ({ stage_name: 'Cut', order, duration_secs: 1, notes }));
  await api.record((await api.createMap()).id, { steps });
});
afterAll(() => server.close().finally(remove));

test.each([
  [{ snapshotMsMax: -1, fileBytesMax: 2 ** 30 }, { limit_secs: -0.001 }],
  [{ snapshotMsMax: 60_000, fileBytesMax: 500_000 }, { limit_bytes: 500_000 }],
])('[EXPORT-43] an export that is too slow or too large is refused for good', async (limits, members) => {
  const request = { format: 'steps.csv', selection: {}, options: {}, isAbandoned: () => false, limits } as const;
  const refused = await exportRuns(server.services, api.accountId, request);
  expect(refused).toMatchObject({ ok: false, error: { code: 'export_too_large', members } });
  const made = await exportRuns(server.services, api.accountId, {
    ...request,
    limits: { snapshotMsMax: 60_000, fileBytesMax: 2 ** 30 },
  });
  expect(made?.ok).toBe(true);
  if (made?.ok) await made.spool.close();
});

const smallDisk = mountSmallDisk();
afterAll(() => smallDisk?.unmount());

/** A file system of 64 KiB; undefined where only an administrator may mount one. */
function mountSmallDisk() {
  if (process.platform !== 'linux') return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'gemba-small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  return {
    folder,
    unmount() {
      execFileSync('umount', [folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

test.skipIf(!smallDisk)(
  '[EXPORT-44] a full disk is 503, which says so, and leaves a server that exports again',
  async () => {
    const before = process.env['TMPDIR'];
    process.env['TMPDIR'] = smallDisk!.folder;
    try {
      const refused = await api.get('/api/v1/export/steps.csv');
      expectProblem(refused, 503, 'unavailable');
      expect(refused.body.detail).toContain('no room on its disk');
      expect((await download(api, 'runs.csv')).status).toBe(200);
    } finally {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
    }
  },
);
