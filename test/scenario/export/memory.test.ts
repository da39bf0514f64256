import { expect, test } from 'vitest';
import { exportFormats } from '../../../shared/export/formats.ts';
import { Api, temporaryFolder } from '../../contract/fixture.ts';
import { residentBytes } from '../../contract/resident-bytes.ts';
import { operatorToken } from '../../device/test-server.ts';
import { startServerProcess } from '../../contract/server-process.ts';

const mebibyte = 1024 * 1024;
const recordings = 100;
const stepsPerRecording = 1_000;
/** A spreadsheet has at most 50,000 steps. */
const runsOfSheet = 40;

test.skipIf(residentBytes(process.pid) === 0)(
  '[EXPORT-9] exports of 100,000 steps raise the memory of a server process by less than 150 MiB',
  async () => {
    const { dataDir, remove } = temporaryFolder();
    const server = startServerProcess({
      DATA_DIR: dataDir,
      GEMBA_ADMIN_TOKEN: operatorToken,
      GEMBA_RATE_LIMIT: '6000/60',
    });
    try {
      const [, url = ''] = await server.until(/listening on (\S+)\n/);
      const operator = new Api({ url, key: operatorToken, accountId: '' });
      const { body } = await operator.post('/api/v1/admin/accounts', { name: 'Works', plan: 'team' });
      const api = new Api({ url, key: body.api_key, accountId: body.account.id });
      const map = await api.createMap();
      const ids: number[] = [];
      for (let count = 0; count < recordings; count += 1) {
        const steps = Array.from({ length: stepsPerRecording }, (_, order) => ({
          stage_name: `Stage ${order % 20}`,
          order,
          duration_secs: order + 0.5,
          notes: `What happened in step ${order} of recording ${count}, in a sentence of about a hundred characters, as people write.`,
        }));
        ids.push((await api.record(map.id, { steps })).run.id);
      }
      const pid = server.child.pid!;
      let highest = 0;
      const read = async (path: string): Promise<number> => {
        const response = await fetch(`${url}/api/v1/export/${path}`, {
          headers: { Authorization: `Bearer ${api.key}` },
        });
        expect(response.status).toBe(200);
        let bytes = 0;
        for await (const piece of response.body!) {
          bytes += piece.length;
          highest = Math.max(highest, residentBytes(pid));
        }
        return bytes;
      };
      // Loads each format, so that its code counts for neither side.
      for (const format of exportFormats) await read(`${format}?run_ids=${ids[0]}`);
      const before = residentBytes(pid);
      highest = 0;
      for (let round = 0; round < 2; round += 1) {
        for (const format of exportFormats) {
          const sheet = format === 'steps.xlsx' ? `?run_ids=${ids.slice(0, runsOfSheet)}` : '';
          const bytes = await read(format + sheet);
          if (format === 'log.xes') expect(bytes).toBeGreaterThan(50 * mebibyte);
        }
      }
      expect((highest - before) / mebibyte).toBeLessThan(150);
    } finally {
      server.child.kill('SIGKILL');
      await server.ended;
      remove();
    }
  },
);
