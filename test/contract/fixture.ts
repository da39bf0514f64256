/** Real listening servers for the tests, two on one database, and accounts that speak HTTP to them. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openServer, type RunningServer, type ServerOptions } from '../../server/app.ts';
import { createAccount } from '../../server/auth/new-account.ts';
import { parseAllowedTargets } from '../../server/webhooks/send/target.ts';
import type { Plan } from '../../shared/schema/account.ts';

export const adminToken = 'the-operators-token';

/** Two servers on one database stand for two server processes. */
export interface Servers {
  first: RunningServer;
  second: RunningServer;
  /** Moves the clock of both servers forward. */
  advance(ms: number): void;
  close(): Promise<void>;
}

/** Adds a dump of everything in the database, as text. */
export interface DumpableServers extends Servers {
  dump(): Promise<string>;
}

export type OpenServers = () => Promise<DumpableServers>;
export type GetServers = () => DumpableServers;

type ServersPlace = Pick<
  ServerOptions,
  'dataDir' | 'databaseUrl' | 'photoBucket' | 'sharesPhotos' | 'billing' | 'log' | 'rateLimit'
>;

export async function openServers(place: ServersPlace): Promise<Servers> {
  const bugs: unknown[] = [];
  let aheadMs = 0;
  const options = {
    sharesPhotos: true,
    ...place,
    clock: () => Date.now() + aheadMs,
    port: 0,
    host: '127.0.0.1',
    adminToken,
    eventsPollIntervalMs: 50,
    webhookTargets: parseAllowedTargets('127.0.0.0/8,http')!,
    webhookRoundMs: 200,
    onBug: (bug: unknown) => void bugs.push(bug),
  };
  const first = await openServer(options);
  const second = await openServer(options);
  return {
    first,
    second,
    advance: (ms) => void (aheadMs += ms),
    async close() {
      await first.close();
      await second.close();
      expect(bugs).toEqual([]);
    },
  };
}

export function temporaryFolder(): { dataDir: string; remove(): void } {
  const dataDir = mkdtempSync(join(tmpdir(), 'gemba-server-'));
  return { dataDir, remove: () => rmSync(dataDir, { recursive: true, force: true }) };
}

export interface Received {
  status: number;
  headers: Headers;
  // Each test states what it expects of the body.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
  /** The body as it arrived, before parsing. */
  text: string;
}

export type SendHeaders = Record<string, string>;

/** Sends requests with one account's API key to one server. */
export class Api {
  readonly url: string;
  readonly key: string;
  readonly accountId: string;

  constructor(given: { url: string; key: string; accountId: string }) {
    this.url = given.url;
    this.key = given.key;
    this.accountId = given.accountId;
  }

  get(path: string, headers: SendHeaders = {}): Promise<Received> {
    return this.send('GET', path, { headers });
  }

  post(path: string, body?: unknown, headers: SendHeaders = {}): Promise<Received> {
    return this.send('POST', path, { body, headers });
  }

  patch(path: string, body: unknown, headers: SendHeaders = {}): Promise<Received> {
    return this.send('PATCH', path, { body, headers });
  }

  /** Sends `raw` unchanged, with the content type given in `headers`. */
  async send(
    method: string,
    path: string,
    { body, raw, headers = {} }: { body?: unknown; raw?: string | Uint8Array; headers?: SendHeaders },
  ): Promise<Received> {
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(this.url + path, {
      method,
      headers: {
        Authorization: `Bearer ${this.key}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent as BodyInit }),
    });
    const text = await response.text();
    const { status, headers: received } = response;
    return { status, headers: received, body: text === '' ? undefined : JSON.parse(text), text };
  }

  /** Returns an `Api` of the same account for another server. */
  at(server: RunningServer): Api {
    return new Api({ url: server.url, key: this.key, accountId: this.accountId });
  }

  async createMap(fields: object = {}): Promise<{ id: string; version: number }> {
    const created = await this.post('/api/v1/maps', { name: 'Map', ...fields });
    expect(created.status).toBe(201);
    return created.body;
  }

  async createStage(mapId: string, stage: string): Promise<{ id: number }> {
    const created = await this.post(`/api/v1/maps/${mapId}/stages`, { stage });
    expect(created.status).toBe(201);
    return created.body;
  }

  async record(mapId: string, recording: object = {}): Promise<Received['body']> {
    const recorded = await this.post(`/api/v1/maps/${mapId}/recording`, { steps: steps('Cut'), ...recording });
    expect(recorded.status).toBe(200);
    return recorded.body;
  }
}

export async function newApi(server: RunningServer, plan: Plan = 'team'): Promise<Api> {
  const { account, api_key } = await createAccount(server, { name: 'Account', plan });
  return new Api({ url: server.url, key: api_key, accountId: account.id });
}

/** Makes one step for each name, of one minute each. */
export function steps(...names: string[]): object[] {
  return names.map((stage_name, index) => ({ stage_name, order: index + 1, duration_secs: 60 }));
}

export function expectProblem(received: Received, status: number, code: string): void {
  expect({ status: received.status, code: received.body?.code }).toEqual({ status, code });
  expect(received.headers.get('Content-Type')).toBe('application/problem+json');
  expect(received.body).toMatchObject({
    type: expect.any(String),
    title: expect.any(String),
    detail: expect.any(String),
    status,
    request_id: received.headers.get('X-Request-Id'),
  });
}

/** Expects a 422 that names exactly these fields. */
export function expectWrongFields(received: Received, paths: string[]): void {
  expectProblem(received, 422, 'validation_failed');
  const named = received.body.errors.map(({ path }: { path: string }) => path);
  expect(named.toSorted()).toEqual(paths.toSorted());
}

export const unknownMapId = randomUUID();
export const unknownRunId = 999_999;

export const step = (stage_name: string, duration_secs: number, order = 1) => ({ stage_name, duration_secs, order });
