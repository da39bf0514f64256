/**
 * All attacks on one process with the default limits together: how long others wait, and how much memory the process
 * takes. The attackers share the processors, so they cause a part of the wait.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { startSiegedServer, type SiegedServer } from '../server-process.ts';
import type { Setting } from '../setting.ts';
import type { FigureTable } from '../table.ts';

const askIntervalMs = 100;

export async function measureSiege({ dataDir, smoke }: Setting): Promise<FigureTable> {
  const secs = smoke ? 5 : 120;
  const server = await startSiegedServer(dataDir('siege'));
  try {
    const attacked = await server.newAccount();
    const mapId = await createLargeMap(server, attacked);
    const other = await server.newAccount();
    const quiet = await measureWaits(server, other, { until: after(smoke ? 1_000 : 10_000) });
    const script = join(import.meta.dirname, 'attacks.ts');
    const token = attacked['Authorization']!.replace('Bearer ', '');
    const args = ['--import', 'tsx', script, server.url, String(secs), token, mapId];
    const attackers = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let printed = '';
    attackers.stdout.on('data', (bytes: Buffer) => (printed += bytes.toString()));
    const sieged = await measureWaits(server, other, { until: once(attackers, 'close') });
    return {
      title: `Under siege for ${secs} s`,
      about: `${printed.trim()} hostile requests and connections at once (compressed bodies, bodies and answers without an end, made-up tokens, streams, 10,000 moves, broken mutations), default limits. Waits of others in ms, memory in MiB.`,
      head: ['', 'asked', 'failed', '/readyz median', '/readyz most', 'GET maps most', 'push most', 'memory most'],
      rows: [
        ['quiet', ...rowOf(quiet)],
        ['under siege', ...rowOf(sieged)],
      ],
    };
  } finally {
    await server.stop();
  }
}

interface Waits {
  readyz: number[];
  maps: number[];
  push: number[];
  failed: number;
  residentMost: number;
}

function rowOf({ readyz, maps, push, failed, residentMost }: Waits): string[] {
  const sorted = readyz.toSorted((a, b) => a - b);
  const most = (all: number[]) => Math.max(0, ...all).toFixed(0);
  const median = (sorted[sorted.length >> 1] ?? 0).toFixed(1);
  return [String(readyz.length), String(failed), median, most(readyz), most(maps), most(push), residentMost.toFixed(0)];
}

async function measureWaits(
  server: SiegedServer,
  headers: Record<string, string>,
  { until }: { until: Promise<unknown> },
) {
  const waits: Waits = { readyz: [], maps: [], push: [], failed: 0, residentMost: 0 };
  const over = new AbortController();
  void until.then(() => over.abort());
  const clientId = crypto.randomUUID();
  const timed = async (into: number[], path: string, init: RequestInit) => {
    const started = performance.now();
    const response = await fetch(`${server.url}${path}`, { ...init, signal: AbortSignal.timeout(30_000) }).catch(
      () => undefined,
    );
    await response?.arrayBuffer();
    if (!response?.ok) waits.failed += 1;
    into.push(performance.now() - started);
  };
  for (let seq = 1; !over.signal.aborted; seq += 1) {
    const args = { name: `Map ${seq}` };
    const mutations = [{ seq, name: 'create_map', args, recorded_at: new Date().toISOString() }];
    const body = JSON.stringify({ client_id: clientId, acked_seq: seq - 1, mutations });
    await timed(waits.readyz, '/readyz', {});
    if (seq % 3 === 0) await timed(waits.maps, '/api/v1/maps?limit=10', { headers });
    await timed(waits.push, '/api/v1/sync/push', { method: 'POST', headers, body });
    waits.residentMost = Math.max(waits.residentMost, residentMib(server.pid));
    await after(askIntervalMs * 2);
  }
  return waits;
}

/** Makes a map with 5,000 stages. */
async function createLargeMap({ url }: SiegedServer, headers: Record<string, string>): Promise<string> {
  const clientId = crypto.randomUUID();
  const mapId = crypto.randomUUID();
  const stages = Array.from({ length: 5_000 }, (_, index) => ({
    name: 'add_stage',
    args: { map_id: mapId, stage_id: 2 ** 31 + index, stage: `Stage ${index}`.padEnd(180, '.') },
  }));
  const all = [{ name: 'create_map', args: { map_id: mapId, name: 'Large' } }, ...stages];
  const mutations = all.map((one, index) => ({ ...one, seq: index + 1, recorded_at: '2026-04-01T09:30:00.000Z' }));
  const body = JSON.stringify({ client_id: clientId, acked_seq: 0, mutations });
  const response = await fetch(`${url}/api/v1/sync/push`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`no large map: ${response.status} ${await response.text()}`);
  return mapId;
}

function residentMib(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib ?? 0) / 1024;
}
