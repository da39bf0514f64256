/** Reads account events as an integrator does. */
import { expect } from 'vitest';
import type { Api } from './fixture.ts';

export interface SeenEvent {
  id: string;
  type: string;
  version: number;
  created_at: string;
  subject: { kind: string; id: string | number; record?: unknown };
  actor: { kind: string; id: string | null };
}

/** Reads all pages. */
export async function readAll(api: Api, query: Record<string, string> = {}): Promise<SeenEvent[]> {
  const events: SeenEvent[] = [];
  for (let after = query['after']; ;) {
    const text = new URLSearchParams({ ...query, ...(after === undefined ? {} : { after }) });
    const { status, body } = await api.get(`/api/v1/events?${text}`);
    expect(status).toBe(200);
    events.push(...body.data);
    if (!body.has_more) return events;
    after = body.next_cursor;
  }
}

export const told = (events: SeenEvent[]) => events.map(({ type, subject }) => [type, subject.id]);
