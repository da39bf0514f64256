/** The work that all contenders do: the recordings that devices send, and the account that a new device gets. */
import { randomUUID } from 'node:crypto';
import type { RecordingBody } from '../../../shared/schema/recording.ts';
import { BenchDevice, type RecordingBatch } from '../recordings.ts';
import { pushOver } from '../server-process.ts';

export const stepCount = 12;

export type Recording = RecordingBody & { recording_session_id: string };

/** A document of a peer: the peers know neither maps nor runs. */
export interface Document {
  id: string;
  kind: 'map' | 'run';
  body: object;
}

/** The maps and runs of an account, as a device of Gemba shows them. */
export interface Documents {
  maps: Document[];
  runs: Document[];
}

export interface AccountSize {
  maps: number;
  runsPerMap: number;
}

export function makeRecordings(count: number): Recording[] {
  return new BenchDevice({ stepCount }).recordingBodies(count).map((body) => {
    return { ...body, recording_session_id: body.recording_session_id ?? randomUUID() };
  });
}

export function toDocument(recording: Recording): Document {
  return { id: recording.recording_session_id, kind: 'run', body: recording };
}

const mutationsPerPush = 500;

/**
 * Fills an account over the sync protocol, as one device. Returns what the account has then: its records as the API shows
 * them, and the steps as they were sent.
 */
export async function fillAccount(
  url: string,
  headers: Record<string, string>,
  { maps, runsPerMap }: AccountSize,
): Promise<Documents> {
  const device = new BenchDevice({ stepCount });
  const stepsBySession = new Map<unknown, unknown>();
  let waiting: RecordingBatch | undefined;
  for (let made = 0; made < maps; made += 1) {
    const map = device.mapBatch();
    const { mutations } = device.recordings(runsPerMap);
    for (const { args } of mutations) {
      const { recording_session_id, steps } = args as Recording;
      stepsBySession.set(recording_session_id, steps);
    }
    waiting = { ...map, mutations: [...(waiting?.mutations ?? []), ...map.mutations, ...mutations] };
    if (waiting.mutations.length + runsPerMap + map.mutations.length <= mutationsPerPush) continue;
    await pushOver(url, headers, waiting);
    waiting = undefined;
  }
  if (waiting) await pushOver(url, headers, waiting);
  return readDocuments({ url, headers, stepsBySession });
}

interface FilledAccount {
  url: string;
  headers: Record<string, string>;
  stepsBySession: Map<unknown, unknown>;
}

async function readDocuments({ url, headers, stepsBySession }: FilledAccount): Promise<Documents> {
  const documents: Documents = { maps: [], runs: [] };
  const page = async (path: string) => {
    const response = await fetch(`${url}/api/v1/${path}`, { headers });
    return (await response.json()) as { data: Record<string, unknown>[]; next_cursor: string | null };
  };
  let cursor: string | null = '';
  while (cursor !== null) {
    const { data, next_cursor }: Awaited<ReturnType<typeof page>> = await page(
      `maps?limit=100${cursor && `&cursor=${cursor}`}`,
    );
    for (const { id } of data) {
      const body = await (await fetch(`${url}/api/v1/maps/${String(id)}`, { headers })).json();
      documents.maps.push({ id: String(id), kind: 'map', body });
      const runs = await page(`maps/${String(id)}/runs?limit=100`);
      for (const run of runs.data) {
        const steps = stepsBySession.get(run['recording_session_id']);
        documents.runs.push({ id: String(run['id']), kind: 'run', body: { ...run, steps } });
      }
    }
    cursor = next_cursor;
  }
  return documents;
}
