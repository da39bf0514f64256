/** The engine that an inspector follows: the latest, and what changes of it. */
import { Subject } from 'rxjs';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Carrying, ReadCode } from '../../../client/client.ts';
import { createInspector, type HandedOver } from '../../../client/entries/devtools.ts';
import { device, manualSync, network } from '../../device/devices.ts';
import { recordingOf } from '../../device/phones.ts';
import { testServer, type TestServer } from '../../device/test-server.ts';
import { inspectedDevice } from './inspected-device.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

test('[DEV-17] an inspector shows the engine that got it last, and goes on with its trace', async () => {
  const first = await inspectedDevice(server);
  const { inspector } = first;
  const seen: string[] = [];
  const following = inspector.changes$.subscribe(() => seen.push('change'));
  onTestFinished(() => following.unsubscribe());
  await inspector.trace(true);
  const { engine: firstFacts } = await inspector.snapshot(['engine']);

  const net = network();
  const token = await server.newAccount();
  const second = await device({ url: server.url, token, ...manualSync(net), inspector });
  const { engine, trace } = await inspector.snapshot(['engine', 'trace']);
  expect(engine.device_id).not.toBe(firstFacts.device_id);
  expect(trace).toMatchObject({ is_on: true });
  expect(first.engine.detour.fetch).toBeUndefined();
  await first.phone.close();
  seen.length = 0;
  await second.createMap({ name: 'Press line' });
  await second.sync();
  expect(seen).toContain('change');
  expect((await inspector.snapshot(['trace'])).trace.rounds[0]?.requests.map(({ kind }) => kind)).toContain('push');
});

test('[DEV-18] [DEV-19] [DEV-22] changes tell of what is carried and handed over and outlive a failed source, and a snapshot reads only the parts that are asked for', async () => {
  const { phone, engine, net } = await inspectedDevice(server);
  // A settled recording is none that a carrier may have.
  net.online = false;
  const relay = {
    carrying$: new Subject<Carrying>(),
    readCodes$: new Subject<ReadCode[]>(),
    handOverProblem$: new Subject<null>(),
    carriers$: new Subject<HandedOver[]>(),
  };
  const { carrying$, readCodes$, handOverProblem$ } = relay;
  const handOver = { handOverProblem$, carriers$: () => relay.carriers$ };
  const inspector = createInspector();
  inspector.attach(engine, phone.status$, { carrier: { carrying$, readCodes$ }, handOver });
  const { map_id } = await phone.createMap({ name: 'Press line' });
  await phone.importRecording({ mapId: map_id, recording: recordingOf('s-1') });
  await inspector.maps();
  let changes = 0;
  const following = inspector.changes$.subscribe(() => changes++);
  onTestFinished(() => following.unsubscribe());
  await expect.poll(() => carrying$.observed).toBe(true);
  const changed = (emit: () => void): boolean => {
    const before = changes;
    emit();
    return changes > before;
  };
  expect(changed(() => relay.carrying$.next({ messages: 2, bytes: 900, oldest_at: null }))).toBe(true);
  expect(changed(() => relay.readCodes$.next([]))).toBe(true);
  expect(changed(() => relay.handOverProblem$.next(null))).toBe(true);
  expect(changed(() => relay.carriers$.next([]))).toBe(true);
  relay.carrying$.error(new Error('The code of the relay does not load.'));
  expect(changed(() => relay.readCodes$.next([]))).toBe(true);

  let reads = 0;
  const { journal } = engine.store;
  Object.defineProperty(engine.store, 'journal', { get: () => (reads++, journal) });
  const { outbox, ...rest } = await inspector.snapshot(['outbox']);
  expect([outbox.counts.pending, Object.keys(rest), reads]).toEqual([2, ['taken_at'], 0]);
  await inspector.snapshot(['journal']);
  expect(reads).toBe(1);
});

test('[DEV-18] a look that failed is tried again by the next one, and the trace goes on', async () => {
  const { phone, engine } = await inspectedDevice(server);
  let failures = 1;
  const store = new Proxy(engine.store, {
    get: (target, name) => {
      if (name === 'outbox' && failures-- > 0) throw new Error('The outbox cannot be read.');
      return Reflect.get(target, name);
    },
  });
  const inspector = createInspector();
  inspector.attach({ ...engine, store }, phone.status$);
  await expect(inspector.trace(true)).rejects.toThrow('The outbox cannot be read.');
  expect((await inspector.snapshot(['trace'])).trace).toMatchObject({ is_on: true });
});
