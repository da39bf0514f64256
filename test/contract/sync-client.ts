/** A minimal sync client: it numbers, pushes and pulls. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Api, Received } from './fixture.ts';

export const protocol = { 'Gemba-Protocol': '1' };

export interface SentMutation {
  seq: number;
  name: string;
  args: unknown;
  recorded_at: string;
}

interface PushExtras {
  acked?: number;
  api?: Api;
  sent_at?: string;
  account_id?: string;
  offered_seq?: number;
  chain?: string;
  carried?: boolean;
  /** The header `Gemba-Base`. */
  base?: string;
}

export class SyncClient {
  readonly id: string = randomUUID();
  readonly api: Api;
  #seq = 0;

  constructor(api: Api) {
    this.api = api;
  }

  next(name: string, args: unknown): SentMutation {
    return { seq: ++this.#seq, name, args, recorded_at: '2026-04-01T09:30:00.000Z' };
  }

  push(mutations: unknown[], { acked = 0, api = this.api, base, ...more }: PushExtras = {}): Promise<Received> {
    const headers = base === undefined ? protocol : { ...protocol, 'Gemba-Base': base };
    return api.post('/api/v1/sync/push', { client_id: this.id, acked_seq: acked, mutations, ...more }, headers);
  }

  /** Pushes one mutation and returns its result. */
  async apply(name: string, args: unknown): Promise<Received['body']> {
    const { status, body } = await this.push([this.next(name, args)]);
    expect(status).toBe(200);
    return body.results[0];
  }

  pull(query: Record<string, string | number> = {}): Promise<Received> {
    const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    return this.api.get(`/api/v1/sync/pull?${text}`, protocol);
  }
}

export interface PulledChanges {
  /** Not typed, as the body of a response: each test states what it expects. */
  changes: Received['body'][];
  cursor: string;
  pages: number;
}

/** Pulls page by page until there is no more. */
export async function pullAll(client: SyncClient, query: Record<string, string | number> = {}): Promise<PulledChanges> {
  const pulled: PulledChanges = { changes: [], cursor: String(query['cursor'] ?? ''), pages: 0 };
  for (let more = true; more; pulled.pages++) {
    expect(pulled.pages).toBeLessThan(1_000);
    const { status, body } = await client.pull({ ...query, cursor: pulled.cursor });
    expect(status).toBe(200);
    pulled.changes.push(...body.changes);
    pulled.cursor = body.cursor;
    more = body.has_more;
  }
  return pulled;
}
