/**
 * Sends pokes between server processes with LISTEN and NOTIFY. A NOTIFY inside a write transaction would lock the whole
 * database until the commit, so the channel sends pokes after the commit, several at once. While a process has no
 * connection, pokes to it and from it get lost, and event streams find the changes by polling. NOTIFY reaches only
 * listeners on the same node and database, so all processes of a Citus cluster need the same URL for pokes.
 *
 *   commit ─► announce ─ gathered for 20 ms ─► NOTIFY ~~► LISTEN of each process ─► onPoke
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { mergePokes } from '../pokes.ts';
import type { Poke } from '../store.ts';
import { connectMsMax, openConnections, type Connections } from './connections.ts';
import { statement } from './statement.ts';

export const gatherDelayMs = 20;
const reconnectDelayMsMin = 50;
const reconnectDelayMsMax = 2_000;

const listenStatement = statement({ text: 'LISTEN gemba_commits' });
const notifyStatement = statement({
  text: "SELECT pg_notify('gemba_commits', payload) FROM unnest($1::text[]) AS payload",
});

interface PokeChannel {
  announce(poke: Poke): void;
  isListening(): boolean;
  close(): Promise<void>;
}

interface PokeChannelOptions {
  url: string;
  /** Connections to the database at `url`. Default: the channel opens one connection for its pokes. */
  connections?: Connections;
  /** Called with each poke of another server process. */
  onPoke: (poke: Poke) => void;
}

/** The channel of a server that polls the database: sends no poke and receives none. */
export const silentChannel: PokeChannel = { announce() {}, isListening: () => false, close: async () => {} };

/** Opens the channel. Resolves once the channel listens for pokes, or once its first attempt to connect has failed. */
export async function openPokeChannel({ url, onPoke, ...options }: PokeChannelOptions): Promise<PokeChannel> {
  const connections = options.connections ?? openConnections({ url, connectionsMax: 1 });
  const sender = randomUUID();
  let gathered = new Map<string, Poke>();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const send = async () => {
    clearTimeout(timer);
    timer = undefined;
    const payloads = [...gathered.values()].map((poke) => JSON.stringify({ ...poke, sender }));
    gathered = new Map();
    if (payloads.length === 0) return;
    await connections.query(notifyStatement, [payloads]).catch(() => {});
  };
  const receive = (payload: string) => {
    const { sender: from, ...poke }: Poke & { sender: string } = JSON.parse(payload);
    if (from !== sender) onPoke(poke);
  };
  const listener = await openPokeListener(url, receive);

  return {
    isListening: listener.isListening,
    announce(poke) {
      if (closed) return;
      const announced = { ...poke, committedAtMs: Date.now() };
      gathered.set(poke.accountId, mergePokes(announced, gathered.get(poke.accountId)));
      timer ??= setTimeout(send, gatherDelayMs);
    },
    async close() {
      closed = true;
      await send();
      await listener.close();
      if (!options.connections) await connections.close();
    },
  };
}

interface PokeListener {
  isListening(): boolean;
  close(): Promise<void>;
}

/** Opens a connection that listens for pokes. Opens a new connection each time the last one has ended. */
async function openPokeListener(url: string, onPayload: (payload: string) => void): Promise<PokeListener> {
  const closing = new AbortController();
  const connect = async () => {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: connectMsMax,
      // Limit the wait for LISTEN, since a pooler may accept the login and then have no connection to PostgreSQL for
      // LISTEN.
      query_timeout: connectMsMax,
      keepAlive: true,
      application_name: 'gemba pokes',
    });
    // Each error is followed by the event `end`, which opens a new connection.
    client.on('error', () => {});
    client.on('notification', ({ payload }) => onPayload(payload ?? ''));
    const ended = new Promise<void>((resolve) => client.once('end', resolve));
    try {
      await client.connect();
      await client.query(listenStatement);
      return { client, ended };
    } catch {
      await client.end();
      return undefined;
    }
  };

  let listening = await connect();
  const keepListening = async () => {
    for (let pauseMs = reconnectDelayMsMin; !closing.signal.aborted;) {
      await listening?.ended;
      listening = undefined;
      await sleep(pauseMs, undefined, { signal: closing.signal }).catch(() => {});
      if (!closing.signal.aborted) listening = await connect();
      pauseMs = listening ? reconnectDelayMsMin : Math.min(2 * pauseMs, reconnectDelayMsMax);
    }
    await listening?.client.end();
  };
  const done = keepListening();
  return {
    isListening: () => listening !== undefined,
    async close() {
      closing.abort();
      await listening?.client.end();
      await done;
    },
  };
}
