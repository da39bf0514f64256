/**
 * All attackers of the service, in a process of their own: `siege-attacks.ts URL SECS TOKEN MAP_ID`. Each attack has
 * its own addresses behind a trusted proxy, and runs as fast as the limits allow.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const [url = '', secs = '10', token = '', mapId = ''] = process.argv.slice(2);
const { port } = new URL(url);
const endsAtMs = performance.now() + Number(secs) * 1000;
let requests = 0;

type Head = Record<string, string>;

const pushHeaders = {
  'Content-Type': 'application/json',
  'Gemba-Protocol': '1',
  Authorization: `Bearer ${token}`,
};

async function ask(
  path: string,
  init: { method?: string; headers?: Head; body?: string | Uint8Array<ArrayBuffer> } = {},
) {
  requests += 1;
  try {
    const response = await fetch(`${url}${path}`, init);
    await response.arrayBuffer();
  } catch {
    // The server ends attacking connections.
  }
}

/** A connection that sends bytes and reads nothing. */
function openUnreadConnection(bytes: string | Uint8Array): Socket {
  requests += 1;
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => {});
  socket.on('connect', () => socket.write(bytes));
  return socket.pause();
}

const headOf = (method: string, path: string, headers: Head): string =>
  `${method} ${path} HTTP/1.1\r\nHost: a\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;

const attackerAddress = (attack: number, nth: number): Head => ({
  'X-Forwarded-For': `10.${attack}.${nth >> 8}.${nth & 255}`,
});

/** Repeats `attack`, up to `perSecond` times a second. */
async function repeatAttack(perSecond: number, attack: (nth: number) => Promise<unknown>): Promise<void> {
  for (let nth = 0; performance.now() < endsAtMs; nth += 1) {
    await Promise.all([attack(nth), after(1000 / perSecond)]);
  }
}

const nestedBody = brotliCompressSync(`{"code":${'['.repeat(520_000)}${']'.repeat(520_000)}}`);
const inflatingBody = gzipSync(Buffer.alloc(1_040_000, ' '));
const chunk = (bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

/** Keeps this many connections open and replaces each one that ends. */
async function keepConnectionsOpen(count: number, open: (nth: number) => Socket): Promise<void> {
  const sockets = new Set<Socket>();
  let opened = 0;
  for (; performance.now() < endsAtMs; await after(50)) {
    while (sockets.size < count && performance.now() < endsAtMs) {
      const socket = open((opened += 1));
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      if (opened % 20 === 0) await after(5);
    }
  }
  for (const socket of sockets) socket.destroy();
}

const jsonHeaders = { 'Content-Type': 'application/json' };
const gzippedHeaders = { ...jsonHeaders, 'Content-Encoding': 'gzip', 'Transfer-Encoding': 'chunked' };
const stageMoves = JSON.stringify(
  Array.from({ length: 10_000 }, (_, index) => ({
    seq: index + 1,
    name: 'update_stage',
    args: { map_id: mapId, stage_id: 2 ** 31 + (index % 5_000), order: 5_000 - (index % 5_000) },
    recorded_at: '2026-04-01T09:30:00.000Z',
  })),
);
const brokenMutations = JSON.stringify(Array.from({ length: 10_000 }, () => null));

const push = (mutations: string) =>
  ask('/api/v1/sync/push', {
    method: 'POST',
    headers: { ...pushHeaders, 'Content-Encoding': 'br' },
    body: brotliCompressSync(`{"client_id":"${randomUUID()}","acked_seq":0,"mutations":${mutations}}`, {
      params: { 0: 1 },
    }) as Uint8Array<ArrayBuffer>,
  });

const attacks: Promise<void>[] = [
  repeatAttack(20, (nth) =>
    ask('/api/v1/auth/pair', {
      method: 'POST',
      headers: { ...jsonHeaders, 'Content-Encoding': 'br', ...attackerAddress(1, nth % 50) },
      body: nestedBody as Uint8Array<ArrayBuffer>,
    }),
  ),
  keepConnectionsOpen(500, (nth) => {
    const socket = openUnreadConnection(
      headOf('POST', '/api/v1/auth/pair', { ...gzippedHeaders, ...attackerAddress(2, nth % 100) }),
    );
    socket.write(chunk(inflatingBody));
    return socket;
  }),
  keepConnectionsOpen(150, () => {
    const socket = openUnreadConnection(headOf('POST', '/api/v1/sync/push', { ...pushHeaders, ...gzippedHeaders }));
    socket.write(chunk(inflatingBody));
    return socket;
  }),
  repeatAttack(200, (nth) =>
    ask('/docs', {
      headers: { Authorization: `Bearer ${nth}${randomBytes(8).toString('hex')}`, ...attackerAddress(3, nth % 3) },
    }),
  ),
  repeatAttack(200, (nth) =>
    ask(`/none-${nth}`, { headers: { Authorization: `Bearer gk_${nth}`, ...attackerAddress(4, nth % 3) } }),
  ),
  repeatAttack(100, (nth) =>
    ask('/api/v1/admin/accounts', {
      method: 'POST',
      headers: { Authorization: `Bearer ${nth}`, ...attackerAddress(5, 1) },
    }),
  ),
  keepConnectionsOpen(40, (nth) =>
    openUnreadConnection(headOf('GET', '/api/v1/openapi.json', attackerAddress(6, nth % 40)).repeat(300)),
  ),
  keepConnectionsOpen(10, () =>
    openUnreadConnection(
      headOf('GET', `/api/v1/maps/${mapId}`, { Authorization: pushHeaders.Authorization }).repeat(60),
    ),
  ),
  repeatAttack(50, async () => {
    const socket = openUnreadConnection(headOf('GET', '/api/v1/sync/events', pushHeaders));
    await after(3);
    socket.destroy();
  }),
  repeatAttack(0.2, () => push(stageMoves)),
  repeatAttack(1, () => push(brokenMutations)),
];
await Promise.all(attacks);
console.log(String(requests));
