/** The memory that an idle event stream takes in the server. */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { startChildServer, type ChildServer } from '../../child-server.ts';
import { takeTurns, type Sample } from '../../measure.ts';
import { startServerProcess } from '../../server-process.ts';
import type { Work } from '../report/figures.ts';
import { fullSync, inMemory, postgresSync, workOf, type PeersSetting } from './work-setting.ts';

const streamsPerKey = 100;
const pageBytes = 4096;
const base = 'Gemba';
const postgresName = 'Gemba on PostgreSQL';
const limitName = 'Node alone';

export async function measureStreams({ smoke, dataDir, postgresUrl }: PeersSetting): Promise<Work[]> {
  const keys = smoke ? 1 : 50;
  const onGemba = async (databaseUrl?: string) => {
    const server = await startServerProcess({ dataDir: dataDir('streams'), ...(databaseUrl ? { databaseUrl } : {}) });
    const headers = await Promise.all(Array.from({ length: keys }, () => server.newAccount()));
    return bytesPerStream(server, headers);
  };
  const variants: Record<string, Sample> = {
    [base]: () => onGemba(),
    [limitName]: async () => {
      const server = await startChildServer([join(import.meta.dirname, '../servers/streams.ts')]);
      return bytesPerStream(
        server,
        Array.from({ length: keys }, () => ({})),
      );
    },
  };
  if (postgresUrl) variants[postgresName] = async () => onGemba(await postgresUrl());
  return [
    workOf<string>({
      id: 'streams',
      title: `Memory of an idle event stream, of ${keys * streamsPerKey}`,
      about:
        'The growth of the resident memory of a new server process, garbage included, from no stream to all of them, a stream. Node alone holds as many responses open and knows nothing of them.',
      unit: 'kB',
      better: 'lower',
      base,
      samples: await takeTurns<string>(variants, { rounds: smoke ? 1 : 3 }),
      subjects: {
        [base]: { role: 'gemba', durability: fullSync },
        [postgresName]: { role: 'gemba', durability: postgresSync },
        [limitName]: { role: 'limit', durability: inMemory },
      },
    }),
  ];
}

/** Opens the streams, returns the kB of one and stops the server. */
async function bytesPerStream(server: ChildServer, keys: Record<string, string>[]): Promise<number> {
  const before = residentBytes(server.pid);
  const sockets: Socket[] = [];
  for (const headers of keys) {
    sockets.push(...(await Promise.all(Array.from({ length: streamsPerKey }, () => openStream(server.url, headers)))));
  }
  const grown = residentBytes(server.pid) - before;
  for (const socket of sockets) socket.destroy();
  await server.stop();
  return grown / sockets.length / 1000;
}

function openStream(url: string, headers: Record<string, string>): Promise<Socket> {
  const { hostname, port, host } = new URL(url);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.write(`GET /api/v1/sync/events HTTP/1.1\r\nHost: ${host}\r\n${lines.join('')}\r\n`);
    socket.once('data', (head: Buffer) => {
      if (head.toString().startsWith('HTTP/1.1 200')) resolve(socket);
      else reject(new Error(head.toString()));
    });
    socket.once('error', reject);
  });
}

const residentBytes = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * pageBytes;
