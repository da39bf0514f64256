/** Writes to one server process again and again, and says when a write was served. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Api } from '../contract/fixture.ts';

export interface Probe {
  /** Resolves with the milliseconds from `sinceMs` to the answer to the first write that began after it and was served. */
  untilServedSince(sinceMs: number, backMsMax: number): Promise<number>;
  /** How many writes were answered with 503. */
  refused(): number;
  slowestMs(): number;
  /** Ends the writes. Rejects if an answer was neither 200 nor 503 with `Retry-After`. */
  end(): Promise<void>;
}

const probeEveryMs = 100;

export async function startProbe(api: Api): Promise<Probe> {
  const { id } = await api.createMap();
  let servedAt = { began: 0, ended: 0 };
  let refused = 0;
  let slowestMs = 0;
  let failure: unknown;
  const ending = new AbortController();
  const write = async (name: string) => {
    const began = performance.now();
    const { status, headers, body } = await api.patch(
      `/api/v1/maps/${id}`,
      { name },
      { 'Idempotency-Key': randomUUID() },
    );
    const ended = performance.now();
    slowestMs = Math.max(slowestMs, ended - began);
    if (status === 200) return void (servedAt = { began, ended });
    expect({ status, code: body?.code, retryAfter: headers.get('Retry-After') }).toEqual({
      status: 503,
      code: 'unavailable',
      retryAfter: expect.stringMatching(/^[1-9]\d*$/),
    });
    refused++;
  };
  const done = (async () => {
    for (let count = 1; !ending.signal.aborted; count++) {
      await write(`Probe ${count}`);
      await sleep(probeEveryMs);
    }
  })().catch((error: unknown) => void (failure = error));

  return {
    async untilServedSince(sinceMs, backMsMax) {
      for (; servedAt.began < sinceMs; await sleep(probeEveryMs)) {
        if (failure) throw failure;
        if (performance.now() - sinceMs > backMsMax) throw new Error(`no write was served for ${backMsMax} ms`);
      }
      return servedAt.ended - sinceMs;
    },
    refused: () => refused,
    slowestMs: () => slowestMs,
    async end() {
      ending.abort();
      await done;
      if (failure) throw failure;
    },
  };
}
