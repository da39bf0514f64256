/** Requests to a large account: their time, and the processor time that they take. */
import type { PullResponse } from '../../../shared/protocol/pull.ts';
import { protocolHeader, protocolVersion } from '../../../shared/protocol/version.ts';
import { measureSecs, spreadOf } from '../measure.ts';
import { BenchDevice } from '../recordings.ts';
import { pushOver } from '../server-process.ts';
import { spreadText } from '../table.ts';
import { measureProcessorMs, msText, type MeasuredProcesses } from './processor-ms.ts';

interface AccountCase extends MeasuredProcesses {
  url: string;
  token: string;
  runsMax: number;
  stepCount: number;
  /** How often each request is sent. */
  count: number;
}

/** Returns a row for each kind of request: what, milliseconds, and the processor time of server and PostgreSQL. */
export async function measureRequests(account: AccountCase): Promise<string[][]> {
  const works = await requestsOf(account);
  const rows: string[][] = [];
  for (const [what, work] of Object.entries(works)) {
    const secs: number[] = [];
    await work();
    const used = await measureProcessorMs(account, async () => {
      for (let sent = 0; sent < account.count; sent++) secs.push(await measureSecs(work));
    });
    rows.push([
      what,
      spreadText(spreadOf(secs.map((one) => 1_000 * one))),
      msText(used.server / account.count),
      msText(used.postgres / account.count),
    ]);
  }
  return rows;
}

type Get = <Body>(path: string) => Promise<Body>;

async function requestsOf({ url, token, runsMax, stepCount }: AccountCase) {
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    [protocolHeader]: String(protocolVersion),
  };
  const get: Get = async <Body>(path: string) => {
    const response = await fetch(`${url}/api/v1${path}`, { headers });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Body;
  };
  const device = new BenchDevice({ stepCount });
  await pushOver(url, headers, device.mapBatch());
  const { cursor, mapId } = await pullFirst(get, runsMax);
  return {
    'pull with nothing new': () => get(`/sync/pull?cursor=${cursor}&runs_max=${runsMax}`),
    'list of 50 maps': () => get('/maps?limit=50'),
    'list of 50 runs of a map': () => get(`/maps/${mapId}/runs?limit=50`),
    '50 whole runs of a map on demand': () => get(`/sync/runs?cursor=${cursor}&map_id=${mapId}&limit=50`),
    'push of 1 recording': () => pushOver(url, headers, device.recordings(1)),
  };
}

/** Pulls the scope, and returns the cursor and the map of the last run. */
async function pullFirst(get: Get, runsMax: number): Promise<{ cursor: string; mapId: string }> {
  let mapId = '';
  for (let cursor = ''; ;) {
    const page = await get<PullResponse>(`/sync/pull?cursor=${cursor}&runs_max=${runsMax}&limit=1000`);
    for (const change of page.changes) if (change.kind === 'run' && change.doc) mapId = change.doc.map_id;
    cursor = page.cursor;
    if (!page.has_more) return { cursor, mapId };
  }
}
