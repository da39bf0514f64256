/**
 * The cost of counting a request: GET of a map over HTTP with the limit and without, in turns, on each database.
 *
 *   npx tsx test/bench/rate-limit.ts
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openServer, type RunningServer } from '../../server/app.ts';
import { createHttpApp } from '../../server/http/http-app.ts';
import { createAccount } from '../../server/auth/new-account.ts';
import type { RateLimits } from '../../server/store/limits/rate-limits.ts';
import { startPostgres } from '../postgres.ts';

const connections = 32;
const requestsPerRound = 1_000;
const rounds = 5;
const rateLimit = { requests: 1_000_000_000, secs: 60 };

const unlimitedRateLimits: RateLimits = {
  limit: rateLimit,
  count: async () => ({ ok: true, remaining: 1, resetSecs: 1 }),
  refund: () => {},
  close: async () => {},
};

const folder = await mkdtemp(join(tmpdir(), 'gemba-bench-'));
const postgres = await startPostgres();
await measure('SQLite', {});
if (postgres) await measure('PostgreSQL', { databaseUrl: await postgres.createDatabase() });
await postgres?.stop();
await rm(folder, { recursive: true });

async function measure(name: string, database: { databaseUrl?: string }): Promise<void> {
  const server = await openServer({ dataDir: folder, ...database, port: 0, host: '127.0.0.1', rateLimit });
  const { api_key } = await createAccount(server, { name: 'Bench', plan: 'team' });
  const headers = { Authorization: `Bearer ${api_key}`, 'Content-Type': 'application/json' };
  const made = await fetch(`${server.url}/api/v1/maps`, { method: 'POST', headers, body: '{"name":"Map"}' });
  const { id } = (await made.json()) as { id: string };
  const bare = await startUnlimitedServer(server);
  const path = `/api/v1/maps/${id}`;
  const rates: { limited: number[]; unlimited: number[] } = { limited: [], unlimited: [] };
  for (let round = 0; round <= rounds; round++) {
    const limited = await measureRate(server.url + path, headers);
    const free = await measureRate(bare.url + path, headers);
    // The first round warms up.
    if (round === 0) continue;
    rates.limited.push(limited);
    rates.unlimited.push(free);
  }
  const [limited, free] = [median(rates.limited), median(rates.unlimited)];
  console.log(
    `${name}: ${limited.toFixed(0)} requests/s with the limit, ${free.toFixed(0)} without: ${(limited / free).toFixed(2)}`,
  );
  bare.close();
  await server.close();
}

async function startUnlimitedServer({ services }: RunningServer): Promise<{ url: string; close(): void }> {
  const app = createHttpApp({
    services: { ...services, limits: unlimitedRateLimits },
    adminToken: undefined,
    onBug: () => {},
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

async function measureRate(url: string, headers: Record<string, string>): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const startedAt = performance.now();
  let left = requestsPerRound;
  const client = async () => {
    while (left-- > 0) await sendRequest(url, { agent, headers });
  };
  await Promise.all(Array.from({ length: connections }, client));
  agent.destroy();
  return (requestsPerRound * 1000) / (performance.now() - startedAt);
}

function sendRequest(url: string, options: { agent: Agent; headers: Record<string, string> }): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, options, (response) => {
      if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`));
      response.resume().on('end', resolve);
    }).on('error', reject);
  });
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
