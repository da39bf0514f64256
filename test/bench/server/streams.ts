/** The memory of an idle event stream: what the server's process grows by while thousands open. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventStreamsPerAccountMax, eventStreamsPerKeyMax } from '../../../shared/schema/limits.ts';
import { residentBytes } from '../../contract/resident-bytes.ts';
import { spreadOf } from '../measure.ts';
import { startServerProcess } from '../server-process.ts';
import type { Setting } from '../setting.ts';
import { spreadText, type FigureTable } from '../table.ts';

const openingAtOnce = 50;
/** The process frees some memory in the background. */
const settleMs = 2_000;

/** Bytes of a stream, a sample for each server. `postgres` is absent where there is no PostgreSQL. */
export interface StreamFigures {
  count: number;
  sqlite: number[];
  postgres?: number[];
}

export async function measureStreamFigures({ smoke, dataDir, postgresUrl }: Setting): Promise<StreamFigures> {
  const count = smoke ? 200 : 5_000;
  const figures: StreamFigures = { count, sqlite: [], ...(postgresUrl ? { postgres: [] } : {}) };
  for (let round = 0; round < (smoke ? 1 : 3); round++) {
    figures.sqlite.push(await measureBytes({ dataDir: dataDir('streams') }, count));
    if (!postgresUrl) continue;
    const databaseUrl = await postgresUrl();
    figures.postgres?.push(await measureBytes({ dataDir: dataDir('streams'), databaseUrl }, count));
  }
  return figures;
}

export async function measureStreams(setting: Setting): Promise<FigureTable> {
  const { count, sqlite, postgres } = await measureStreamFigures(setting);
  const rowOf = (name: string, bytes: number[]) => [name, spreadText(spreadOf(bytes.map((one) => one / 1000)), ' kB')];
  return {
    title: 'Streams',
    about: `Resident memory of a server for each of ${count} idle event streams, after as many others came and went one by one. The goal is 10 kB.`,
    head: ['database', 'a stream'],
    rows: [rowOf('SQLite', sqlite), ...(postgres ? [rowOf('PostgreSQL', postgres)] : [])],
  };
}

async function measureBytes(where: { dataDir: string; databaseUrl?: string }, count: number): Promise<number> {
  const server = await startServerProcess(where);
  const sockets: Socket[] = [];
  try {
    const keys: string[] = [];
    while (keys.length * eventStreamsPerKeyMax < count) {
      const account = await server.newAccount();
      for (let made = 0; made < eventStreamsPerAccountMax / eventStreamsPerKeyMax; made++) {
        keys.push(await createKey(server.url, account));
      }
    }
    const open = (number: number) => openStream(server.url, keys[Math.floor(number / eventStreamsPerKeyMax)] ?? '');
    // Opening takes memory for a moment, and the process keeps it. Streams that come and go make it so large beforehand.
    for (let opened = 0; opened < count; opened += openingAtOnce) {
      for (const socket of await openSome(open, opened)) socket.destroy();
    }
    await sleep(settleMs);
    const before = residentBytes(server.pid);
    while (sockets.length < count) sockets.push(...(await openSome(open, sockets.length)));
    await sleep(settleMs);
    return (residentBytes(server.pid) - before) / count;
  } finally {
    for (const socket of sockets) socket.destroy();
    await server.stop();
  }
}

function openSome(open: (number: number) => Promise<Socket>, from: number): Promise<Socket[]> {
  return Promise.all(Array.from({ length: openingAtOnce }, (_, index) => open(from + index)));
}

async function createKey(url: string, headers: Record<string, string>): Promise<string> {
  const response = await fetch(`${url}/api/v1/keys`, { method: 'POST', headers, body: '{"scopes":["read"]}' });
  if (response.status !== 201) throw new Error(`no key: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { api_key: string }).api_key;
}

/** Resolves when the first cursor has come. The headers are those of a phone's browser. */
function openStream(url: string, key: string): Promise<Socket> {
  const { hostname, port, host } = new URL(url);
  const headers = {
    Host: host,
    Authorization: `Bearer ${key}`,
    Accept: 'text/event-stream',
    'Accept-Encoding': 'gzip, br',
    'Accept-Language': 'de-DE,de;q=0.9',
    'Gemba-Protocol': '1',
    'User-Agent': 'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/143.0 Mobile Safari/537.36',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    let received = '';
    const onData = (text: string) => {
      received += text;
      if (!received.includes('event: cursor')) return;
      socket.off('data', onData).resume();
      resolve(socket);
    };
    socket.setEncoding('latin1').on('data', onData).on('error', reject);
    socket.write(`GET /api/v1/sync/events HTTP/1.1\r\n${lines.join('')}\r\n`);
  });
}
