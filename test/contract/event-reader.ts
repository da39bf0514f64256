import { createParser } from 'eventsource-parser';
import { expect, onTestFinished } from 'vitest';
import type { Api } from './fixture.ts';
import { protocol } from './sync-client.ts';

/** Reads the cursors of a stream of events one at a time. */
export async function openEventReader(
  api: Api,
): Promise<{ headers: Headers; next(): Promise<string>; ended(): Promise<boolean> }> {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const response = await fetch(`${api.url}/api/v1/sync/events`, {
    headers: { Authorization: `Bearer ${api.key}`, ...protocol },
    signal: leaving.signal,
  });
  expect(response.status).toBe(200);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const told: string[] = [];
  const parser = createParser({
    onEvent({ event, data }) {
      expect(event).toBe('cursor');
      told.push(JSON.parse(data).cursor);
    },
  });
  const read = async (): Promise<boolean> => {
    const { done, value } = await reader.read();
    if (value) parser.feed(value);
    return done;
  };
  return {
    headers: response.headers,
    async next() {
      while (told.length === 0) expect(await read()).toBe(false);
      return told.shift()!;
    },
    async ended() {
      while (!(await read())) told.length = 0;
      return true;
    },
  };
}
