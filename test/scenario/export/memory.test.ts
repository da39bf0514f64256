import { expect, test } from 'vitest';
import { exportFormats, type ExportFormat } from '../../../shared/export/formats.ts';
import { Api, temporaryFolder } from '../../contract/fixture.ts';
import { spoolCount } from '../../contract/export/spool-count.ts';
import { residentBytes } from '../../contract/resident-bytes.ts';
import { operatorToken } from '../../device/test-server.ts';
import { startServerProcess } from '../../contract/server-process.ts';

const mebibyte = 1024 * 1024;
const recordings = 100;
const stepsPerRecording = 1_000;
/** A spreadsheet has at most 50,000 steps. */
const runsOfSheet = 40;

/** An account with all recordings. A process makes one file of an account at a time, so two at once need two of these. */
async function createWorks(operator: Api, name: string): Promise<{ api: Api; ids: number[] }> {
  const { body } = await operator.post('/api/v1/admin/accounts', { name, plan: 'team' });
  const api = new Api({ url: operator.url, key: body.api_key, accountId: body.account.id });
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
  return { api, ids };
}

test.skipIf(residentBytes(process.pid) === 0)(
  '[EXPORT-9] two exports of 100,000 steps at once raise the memory of a server process by less than 150 MiB',
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
      const works = await Promise.all(['North', 'South'].map((name) => createWorks(operator, name)));
      const pid = server.child.pid!;
      let highest = 0;
      let spoolsMost = 0;
      const read = async ({ api }: { api: Api }, path: string): Promise<number> => {
        const response = await fetch(`${url}/api/v1/export/${path}`, {
          headers: { Authorization: `Bearer ${api.key}` },
        });
        expect(response.status).toBe(200);
        let bytes = 0;
        for await (const piece of response.body!) {
          bytes += piece.length;
          highest = Math.max(highest, residentBytes(pid));
          spoolsMost = Math.max(spoolsMost, spoolCount(pid));
        }
        return bytes;
      };
      const readAll = async (one: (typeof works)[number], formats: readonly ExportFormat[]): Promise<void> => {
        for (const format of formats) {
          const sheet = format === 'steps.xlsx' ? `?run_ids=${one.ids.slice(0, runsOfSheet)}` : '';
          const bytes = await read(one, format + sheet);
          if (format === 'log.xes') expect(bytes).toBeGreaterThan(50 * mebibyte);
        }
      };
      // Loads each format, so that its code counts for neither side.
      for (const format of exportFormats) await read(works[0]!, `${format}?run_ids=${works[0]!.ids[0]}`);
      const before = residentBytes(pid);
      highest = 0;
      // Two of one format first, then each beside others.
      await Promise.all(works.map((one) => readAll(one, exportFormats)));
      await Promise.all([readAll(works[0]!, exportFormats), readAll(works[1]!, exportFormats.toReversed())]);
      // A file closes after its last byte was read, so there may be more for a moment.
      expect(spoolsMost).toBeGreaterThanOrEqual(2);
      const rise = (highest - before) / mebibyte;
      console.log(
        `Two exports at once raised the memory from ${(before / mebibyte).toFixed(0)} by ${rise.toFixed(0)} MiB.`,
      );
      expect(rise).toBeLessThan(150);
    } finally {
      server.child.kill('SIGKILL');
      await server.ended;
      remove();
    }
  },
);
