/** A real server in a folder of its own, and accounts on it, for tests of the device engine. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openServer, type RunningServer, type ServerOptions } from '../../server/app.ts';

export const operatorToken = 'operator-token-of-the-tests';

/** Tests poll the server in tight loops, so the rate limit is too high to be reached. */
const rateLimit = { requests: 1_000_000, secs: 60 };

export interface TestServer extends RunningServer {
  /** Makes an account and returns its API key. */
  newAccount(plan?: 'free' | 'team'): Promise<string>;
  remove(): Promise<void>;
}

export async function testServer(options: Pick<ServerOptions, 'billing' | 'guideDir'> = {}): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gemba-engine-'));
  const place = { dataDir, port: 0, host: '127.0.0.1' };
  const server = await openServer({ ...options, ...place, adminToken: operatorToken, rateLimit });
  return {
    ...server,
    newAccount: accountMaker(server.url),
    remove: async () => {
      await server.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Makes accounts on a server that has the operator token of the tests. */
export const accountMaker =
  (url: string): TestServer['newAccount'] =>
  async (plan = 'team') => {
    const response = await fetch(`${url}/api/v1/admin/accounts`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${operatorToken}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Test', plan }),
    });
    if (!response.ok) throw new Error(`no account: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { api_key: string }).api_key;
  };

/** Reads what the server holds for an account, over REST. */
export interface RestClient {
  get<Body>(path: string): Promise<Body>;
  send<Body>(method: 'POST' | 'PATCH', path: string, body?: unknown): Promise<{ status: number; body: Body }>;
  /** Reads all pages of a list. */
  list<Item>(path: string): Promise<Item[]>;
  /** Reads a file of the server, such as an export. */
  file(path: string): Promise<Buffer>;
  photo(id: string, query?: string): Promise<Response>;
}

export function restClient(url: string, token: string): RestClient {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  async function get<Body>(path: string): Promise<Body> {
    const response = await fetch(`${url}/api/v1${path}`, { headers });
    if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Body;
  }
  return {
    get,
    send: async <Body>(method: string, path: string, body?: unknown) => {
      const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
      const response = await fetch(`${url}/api/v1${path}`, init);
      return { status: response.status, body: (await response.json()) as Body };
    },
    list: async <Item>(path: string) => {
      const items: Item[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const query: string = `${path.includes('?') ? '&' : '?'}limit=200${cursor ? `&cursor=${cursor}` : ''}`;
        const page: { data: Item[]; next_cursor: string | null } = await get(path + query);
        items.push(...page.data);
        cursor = page.next_cursor;
      }
      return items;
    },
    file: async (path) => Buffer.from(await (await fetch(`${url}/api/v1${path}`, { headers })).arrayBuffer()),
    photo: (id, query = '') => fetch(`${url}/api/v1/photos/${id}${query}`, { headers }),
  };
}
