import { expect, test } from 'vitest';
import { uploadTimeoutMsOf } from './timeouts.ts';
import { httpTransport } from './transport.ts';

test('[SYNC-56] the silence allowed doubles after each request that was too slow, up to 80 s', async () => {
  const never: typeof fetch = (_input, init) =>
    new Promise((_resolve, reject) => {
      const abort = () => reject(new DOMException('aborted', 'AbortError'));
      init!.signal!.addEventListener('abort', abort);
      if (init!.signal!.aborted) abort();
    });
  let timers: { ms: number; call: () => void }[] = [];
  const schedule = (ms: number, call: () => void) => {
    timers.push({ ms, call });
    return () => {};
  };
  const transport = httpTransport({
    url: 'http://server',
    fetch: never,
    packedPages: false,
    token: () => 't',
    schedule,
    onTime: () => {},
  });
  const silences: number[] = [];
  for (let request = 0; request < 5; request++) {
    timers = [];
    const pulling = transport.pull({ cursor: '', limit: 1, kinds: ['map'] }, new AbortController().signal);
    const shortest = timers.toSorted((a, b) => a.ms - b.ms)[0]!;
    silences.push(shortest.ms);
    shortest.call();
    await expect(pulling).rejects.toMatchObject({ failure: { kind: 'unreachable', timedOut: true } });
  }
  expect(silences).toEqual([30_000, 60_000, 80_000, 80_000, 80_000]);
});

test('[SYNC-57] [SYNC-58] a push has its time at 16 kB/s, a mutation alone at 1 kB/s up to 20 minutes', () => {
  expect(uploadTimeoutMsOf(160_000, false)).toBe(10_000);
  expect(uploadTimeoutMsOf(160_000, true)).toBe(160_000);
  expect(uploadTimeoutMsOf(8_000_000, true)).toBe(20 * 60_000);
});
