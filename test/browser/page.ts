/**
 * The site of the test page: the engine's bundle under the product's strict policy, and the API of a Gemba server at
 * the same origin. It notes what each tab sends, and can cut off the server.
 */
import { briefMediaType } from '../../shared/brief/brief-push.ts';
import { randomUUID } from 'node:crypto';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { unzipSync } from 'node:zlib';
import type { Bundle } from './bundle.ts';

export interface Site {
  url: string;
  /** The API requests so far, in order. */
  calls: Call[];
  /** While true the server is out of reach, and open connections break. */
  outage: boolean;
  /** Holds the answers to these requests of a tab until they are released. */
  hold(tab: string, what: string): Held;
  /** Returns a path whose answer waits until it is released. */
  sleeper(): Held & { path: string };
  /** A file of the page; undefined if there is none. */
  file(path: string): SiteFile | undefined;
  close(): Promise<void>;
}

export interface Call {
  /** The `tab` in the address of the page that sent it. */
  tab: string;
  /** Method and path, such as `POST /api/v1/sync/push`. */
  what: string;
  /** Undefined until it is answered. */
  status: number | undefined;
  body: string;
  /** The arrival, by `performance.now()`. */
  atMs: number;
}

export interface Held {
  /** Resolves when an answer is held. */
  holds: Promise<void>;
  release(): void;
}

export interface SiteFile {
  headers: Record<string, string>;
  body: string;
}

const pageFile: SiteFile = {
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    // The page has the policy that the server sends with the app.
    'Content-Security-Policy': "default-src 'self'; script-src 'self'; style-src 'self'",
  },
  body: '<!doctype html><title>Gemba</title><script type="module" src="/entry.js"></script>',
};

const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/**
 * With `isIsolated` the page's clock has a resolution of 5 µs instead of 100:
 * https://www.w3.org/TR/hr-time-3/#clock-resolution
 */
export async function openSite(
  { chunks }: Bundle,
  serverUrl: string,
  { isIsolated = false }: { isIsolated?: boolean } = {},
): Promise<Site> {
  const calls: Call[] = [];
  const sockets = new Set<Socket>();
  const held = new Map<string, HeldAnswers>();
  let outage = false;

  const file = (path: string): SiteFile | undefined => {
    if (path === '/') return pageFile;
    const body = chunks.get(path.slice(1));
    return body === undefined ? undefined : { headers: { 'Content-Type': 'text/javascript' }, body };
  };
  const server = createServer((req, res) => {
    const { pathname } = new URL(req.url!, 'http://site');
    if (pathname.startsWith('/api/')) {
      if (outage) return void req.socket.destroy();
      return forwardRequest(req, res, new URL(req.url!, serverUrl), { calls, held });
    }
    const sleeping = held.get(pathname);
    if (sleeping) return void sleeping.wait().then(() => res.writeHead(204).end());
    const found = file(pathname);
    if (found) res.writeHead(200, { ...found.headers, ...(isIsolated ? isolation : {}) }).end(found.body);
    // The page has no icon, which is no error.
    else res.writeHead(pathname === '/favicon.ico' ? 204 : 404).end();
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    hold: (tab, what) => {
      return createHeldAnswers(held, `${tab} ${what}`);
    },
    sleeper: () => {
      const path = `/sleep/${randomUUID()}`;
      return { path, ...createHeldAnswers(held, path) };
    },
    file,
    get outage() {
      return outage;
    },
    set outage(now: boolean) {
      outage = now;
      if (outage) for (const socket of sockets) socket.destroy();
    },
    close: async () => {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Traffic {
  calls: Call[];
  held: Map<string, HeldAnswers>;
}

interface HeldAnswers extends Held {
  /** Called when an answer has come. Resolves when the answer may go on to the tab. */
  wait(): Promise<void>;
}

function createHeldAnswers(held: Traffic['held'], key: string): HeldAnswers {
  let tellHeld = () => {};
  let letGo = () => {};
  const holds = new Promise<void>((resolve) => (tellHeld = resolve));
  const released = new Promise<void>((resolve) => (letGo = resolve));
  const answers = {
    holds,
    wait: () => {
      tellHeld();
      return released;
    },
    release: () => {
      held.delete(key);
      letGo();
    },
  };
  held.set(key, answers);
  return answers;
}

/** Streams the request and the answer, so that events arrive as they are sent. If one side breaks, so does the other. */
function forwardRequest(req: IncomingMessage, res: ServerResponse, target: URL, { calls, held }: Traffic): void {
  const tab = new URL(req.headers.referer ?? 'http://site').searchParams.get('tab') ?? '';
  const call: Call = {
    tab,
    what: `${req.method} ${target.pathname}`,
    status: undefined,
    body: '',
    atMs: performance.now(),
  };
  calls.push(call);
  const upstream = request(target, { method: req.method!, headers: { ...req.headers, host: target.host } });
  upstream.once('response', async (answer) => {
    call.status = answer.statusCode;
    await held.get(`${tab} ${call.what}`)?.wait();
    res.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(res);
    answer.once('error', () => res.destroy());
  });
  upstream.once('error', () => res.destroy());
  res.once('close', () => upstream.destroy());
  const chunks: Buffer[] = [];
  const isCompressed = req.headers['content-encoding'] === 'gzip' || req.headers['content-type'] === briefMediaType;
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => (call.body = String(isCompressed ? unzipSync(Buffer.concat(chunks)) : Buffer.concat(chunks))));
  req.pipe(upstream);
}
