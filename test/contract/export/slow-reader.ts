/** Clients that read an export of 27 MB, which no buffer of a connection takes, slowly or not at all. */
import { once } from 'node:events';
import { expect } from 'vitest';
import type { Api } from '../fixture.ts';
import { openRawClient, requestHead, type RawClient } from '../raw-client.ts';

export async function recordLargeRuns(api: Api): Promise<void> {
  const map = await api.createMap();
  const notes = 'n'.repeat(9_000);
  const steps = Array.from({ length: 100 }, (_, order) => ({ stage_name: 'Cut', order, duration_secs: 1, notes }));
  for (let runs = 0; runs < 30; runs += 1) await api.record(map.id, { steps });
}

/** Asks for the export. */
export function openReader(api: Api): Promise<RawClient> {
  const head = requestHead('GET', '/api/v1/export/steps.csv', { Authorization: `Bearer ${api.key}` });
  return openRawClient(Number(new URL(api.url).port), head);
}

/** Asks, and stops reading at the first byte. */
export async function openStalledReader(api: Api): Promise<RawClient> {
  const reader = await openReader(api);
  reader.socket.once('data', () => reader.socket.pause());
  await expect.poll(() => reader.answer()).toMatch(/^HTTP\/1\.1 200 /);
  return reader;
}

/** Reads a little more. */
export async function sip({ socket }: RawClient): Promise<void> {
  const taken = once(socket, 'data');
  socket.resume();
  await taken;
  socket.pause();
}

/** The bytes of the body that a client has read, and those that it was promised. */
export function bodyProgress(reader: Pick<RawClient, 'answer'>): { taken: number; promised: number } {
  const answer = reader.answer();
  const [, promised] = /Content-Length: (\d+)/i.exec(answer)!;
  return { taken: answer.length - answer.indexOf('\r\n\r\n') - 4, promised: Number(promised) };
}
