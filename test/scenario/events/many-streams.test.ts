/** Thousands of idle event streams on one real process. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { eventStreamsPerAccountMax, eventStreamsPerKeyMax } from '../../../shared/schema/limits.ts';
import { createAccountOn, operatorToken } from '../operations/failing-pair.ts';
import { Api, temporaryFolder } from '../../contract/fixture.ts';
import { residentBytes } from '../../contract/resident-bytes.ts';
import { startServerProcess } from '../../contract/server-process.ts';
import { protocol } from '../../contract/sync-client.ts';

const streamsWanted = 2_000;
/** The test and the server each open one file per stream, and the system limits the open files of a process. */
const reservedFiles = 200;
const openingAtOnce = 50;
/** The most memory that a stream may cost; about 21 KiB were measured. */
const bytesAStreamMax = 100 * 1024;

interface Reader {
  response: IncomingMessage;
  text: string;
}

test('[PG-7] [PG-19] [PG-20] thousands of idle streams cost little each, are all told, and end cleanly with the server', async () => {
  const { dataDir, remove } = temporaryFolder();
  onTestFinished(remove);
  const server = startServerProcess({
    DATA_DIR: dataDir,
    GEMBA_ADMIN_TOKEN: operatorToken,
    GEMBA_RATE_LIMIT: '1000000/60',
    LOG_LEVEL: 'error',
  });
  const [, url] = await server.until(/listening on (\S+)\n/);
  const count = Math.min(streamsWanted, openFilesMax() - reservedFiles);
  const accounts = await Promise.all(
    Array.from({ length: Math.ceil(count / eventStreamsPerAccountMax) }, () => createAccountOn(url!)),
  );
  const readersOf = await Promise.all(accounts.map(createKeys));
  const accountOf = (index: number) => {
    const keys = readersOf[Math.floor(index / eventStreamsPerAccountMax)]!;
    return keys[Math.floor((index % eventStreamsPerAccountMax) / eventStreamsPerKeyMax)]!;
  };
  // The first stream loads code, so it opens before memory is measured.
  const readers = [await openStream(accountOf(0))];
  const before = residentBytes(server.child.pid!);
  while (readers.length < count) {
    const some = Math.min(openingAtOnce, count - readers.length);
    const opened = Array.from({ length: some }, (_, index) => openStream(accountOf(readers.length + index)));
    readers.push(...(await Promise.all(opened)));
  }
  const each = (residentBytes(server.child.pid!) - before) / count;

  const sentAt = performance.now();
  const made = await Promise.all(accounts.map((api) => api.createMap()));
  // The accounts are new, so the first map of each has the same version.
  const newest = Buffer.from(String(made[0]!.version)).toString('base64url');
  await Promise.all(readers.map((reader) => untilCursor(reader, newest)));
  const tookMs = performance.now() - sentAt;
  console.log(`${count} streams, ${Math.round(each / 1024)} KiB each, all told within ${Math.round(tookMs)} ms`);
  expect(each).toBeLessThan(bytesAStreamMax);

  const ends = Promise.all(readers.map(({ response }) => once(response, 'end')));
  server.child.kill('SIGTERM');
  await ends;
  expect(readers.every(({ response }) => response.complete)).toBe(true);
  expect(await server.ended).toBe(0);
});

/** Makes as many keys of the account as its streams need. */
function createKeys(api: Api): Promise<Api[]> {
  const count = eventStreamsPerAccountMax / eventStreamsPerKeyMax;
  const make = async () => {
    const { body } = await api.post('/api/v1/keys', {});
    return new Api({ url: api.url, key: body.api_key, accountId: api.accountId });
  };
  return Promise.all(Array.from({ length: count }, make));
}

const agent = new Agent({ keepAlive: false, maxSockets: Infinity });

async function openStream({ url, key }: Api): Promise<Reader> {
  const headers = { Authorization: `Bearer ${key}`, ...protocol };
  const [response] = (await once(get(`${url}/api/v1/sync/events`, { agent, headers }), 'response')) as [
    IncomingMessage,
  ];
  expect(response.statusCode).toBe(200);
  const reader = { response, text: '' };
  response.setEncoding('utf8').on('data', (chunk: string) => (reader.text += chunk));
  await untilCursor(reader, '');
  return reader;
}

/** Resolves at an event with this cursor, or at any event if the cursor is empty. */
function untilCursor(reader: Reader, cursor: string): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!reader.text.includes(cursor === '' ? '"cursor"' : `"cursor":"${cursor}"`)) return;
      reader.response.off('data', look);
      resolve();
    };
    reader.response.on('data', look);
    look();
  });
}

/** The limit of open files for a process, or a low guess where the system does not report it. */
function openFilesMax(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? streamsWanted + reservedFiles : Number(soft);
  } catch {
    return reservedFiles * 2;
  }
}
