import { Subject, Subscription } from 'rxjs';
import { expect, test } from 'vitest';
import type { Status } from '../sync/tabs/status.ts';
import type { Detour } from '../sync/net/detour.ts';
import { requestsPerRoundMax, roundsMax, SyncTrace } from './sync-trace.ts';

type Fetch = typeof globalThis.fetch;
const pull = 'https://gemba.example/api/v1/sync/pull?cursor=7';
const ok: Fetch = async () => new Response('{}', { headers: { 'Content-Length': '2' } });

function tracedEngine(network: Fetch = ok, unsettled: object[] = []) {
  const status$ = new Subject<Status>();
  const detour: Detour = {};
  let ms = 0;
  const trace = new SyncTrace({
    detour,
    status$,
    options: { name: 'any', url: 'https://gemba.example', fetch: network },
    clock: { wallMs: () => 1_000 + ms, monotonicMs: () => (ms += 10) },
    view: { waiting: [], unsettled },
    outbox: { device: { client_id: 'own', offered_seq: 7 } },
    store: { records: { onWrite: () => new Subscription() } },
  } as unknown as ConstructorParameters<typeof SyncTrace>[0]);
  const phase = (name: Status['phase']) => status$.next({ phase: name, error: null } as Status);
  return { trace, detour, phase };
}

test('[DEV-4] a trace keeps the latest rounds and the latest requests of each', async () => {
  const { trace, detour, phase } = tracedEngine();
  trace.start();
  for (let round = 0; round < roundsMax + 10; round++) {
    phase('syncing');
    phase('idle');
  }
  phase('syncing');
  for (let request = 0; request < requestsPerRoundMax + 3; request++) await detour.fetch?.(pull);
  phase('idle');
  const { rounds } = trace.facts;
  expect(rounds).toHaveLength(roundsMax);
  expect(rounds[0]).toMatchObject({ outcome: 'idle', requests_left_out: 3, ms: expect.any(Number) });
  expect(rounds[0]?.requests).toHaveLength(requestsPerRoundMax);
  expect(rounds[0]?.requests[0]).toMatchObject({
    kind: 'pull',
    status: 200,
    received_bytes: 2,
    sent_bytes: 0,
    error: null,
  });
});

test('[DEV-6] a trace wraps the fetch of a carrier as long as there is one, and does not pose as one', async () => {
  const { trace, detour } = tracedEngine();
  trace.start();
  expect(detour.carrierFetch).toBeUndefined();
  await detour.fetch?.(pull);
  const byCarrier: Fetch = async () => new Response('{}', { status: 503 });
  detour.carrierFetch = byCarrier;
  detour.fetch = detour.trace?.(byCarrier);
  await detour.fetch?.(pull, { method: 'POST', body: 'ä' });
  trace.stop();
  expect(detour.fetch).toBe(byCarrier);
  const [between] = trace.facts.rounds;
  expect(between).toMatchObject({ outcome: 'between' });
  expect(between?.requests.map(({ by, status, sent_bytes }) => [by, status, sent_bytes])).toEqual([
    ['network', 200, 0],
    ['carrier', 503, 2],
  ]);
});

test('[DEV-1] a push under an earlier client id is told apart from one of the device', async () => {
  const unsettled = [
    { state: 'forwarded', client_id: 'earlier' },
    { state: 'pending', client_id: 'own' },
  ];
  const { trace, detour } = tracedEngine(ok, unsettled);
  trace.start();
  const push = 'https://gemba.example/api/v1/sync/push';
  await detour.fetch?.(push, { method: 'POST' });
  unsettled.shift();
  await detour.fetch?.(push, { method: 'POST' });
  expect(trace.facts.rounds[0]?.requests.map(({ client_id, sent_seq }) => [client_id, sent_seq])).toEqual([
    ['earlier', null],
    ['own', 7],
  ]);
});

test('[DEV-4] a request without an answer says so, and its error reaches the engine', async () => {
  const { trace, detour } = tracedEngine(() => Promise.reject(new TypeError('no network')));
  trace.start();
  await expect(detour.fetch?.(pull)).rejects.toThrow('no network');
  await expect(detour.fetch?.(pull, { signal: AbortSignal.abort() })).rejects.toThrow('no network');
  expect(trace.facts.rounds[0]?.requests.map(({ status, error }) => [status, error])).toEqual([
    [null, 'unreachable'],
    [null, 'aborted'],
  ]);
});
