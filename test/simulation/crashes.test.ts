import { afterAll, beforeAll, expect, test } from 'vitest';
import { testServer, type TestServer } from '../device/test-server.ts';
import { Faults, noFaults } from './faults.ts';
import { bringToRest, expectNothingLost } from './outcome.ts';
import { randomOf, givenSeed, randomBelow } from '../random.ts';
import { SimDevice } from './sim-device.ts';
import { record, work } from './worker.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

/** Runs `day` on the device, and opens the device again after each crash. Each life of the device has its own faults. */
async function runActs(device: SimDevice, faults: () => Faults, day: () => Promise<void>): Promise<void> {
  if (!device.isOpen) await device.open(faults());
  await day();
}

const seedsToTry = givenSeed === undefined ? Array.from({ length: 12 }, (_, index) => index + 1) : [givenSeed];

test('[SIM-1] [SIM-6] devices that crash at random points between tap and pull lose nothing, double nothing and end equal to the server', async () => {
  let crashes = 0;
  for (const seed of seedsToTry) {
    try {
      crashes += await simulate(seed);
    } catch (error) {
      throw new Error(`GEMBA_SEED=${seed} fails`, { cause: error });
    }
  }
  expect(crashes).toBeGreaterThan(seedsToTry.length);
});

async function simulate(seed: number): Promise<number> {
  const random = randomOf(seed);
  const url = server.url;
  const token = await server.newAccount();
  const devices = [
    new SimDevice({ url, token }),
    new SimDevice({ url, token }),
    new SimDevice({ url, token, kind: 'wearable' }),
  ];
  try {
    for (let acts = 0; acts < 60; acts++) {
      const device = devices[randomBelow(random, devices.length)]!;
      const dieAt = 1 + randomBelow(random, 25);
      await runActs(
        device,
        () => new Faults((_point, count) => count === dieAt),
        () => work(device, random),
      );
    }
    await bringToRest(devices);
    await expectNothingLost(devices);
  } finally {
    await Promise.all(devices.map((device) => device.close()));
  }
  return devices.reduce((sum, device) => sum + device.crashes, 0);
}

test('[SIM-2] one recording survives a crash at each single point on its way, one after the other', async () => {
  const whole = await runRecording(noFaults());
  const points = [...whole.passed];
  expect(new Set(points)).toEqual(
    new Set(
      ['write of drafts', 'write of outbox', 'write of records_v1', 'sync/push', 'sync/pull'].flatMap((name) => [
        `before ${name}`,
        `after ${name}`,
      ]),
    ),
  );
  for (let dieAt = 1; dieAt <= points.length; dieAt++) {
    const faults = new Faults((_point, count) => count === dieAt);
    await runRecording(faults);
    expect(faults.dead, `point ${dieAt} (${points[dieAt - 1]}) was passed`).toBe(true);
  }
});

/**
 * Records, finishes and syncs; after a crash the device opens without faults and goes on. Returns the faults of the
 * first life.
 */
async function runRecording(faults: Faults): Promise<Faults> {
  const device = new SimDevice({ url: server.url, token: await server.newAccount() });
  const taps = ['load', 'cut', 'weld'];
  try {
    for (const life of [faults, noFaults()]) {
      await device.open(life);
      if (!device.finished.size) await record(device, taps);
      await device.sync();
    }
    await bringToRest([device]);
    expect([...device.finished.values()]).toEqual([taps]);
    await expectNothingLost([device]);
  } finally {
    await device.close();
  }
  return faults;
}

test('[SIM-3] the work of a device is carried on by another that crashes at each single point, and by the first, once', async () => {
  const whole = await runTransfer(noFaults());
  const points = [...whole.passed];
  expect(points).toEqual(expect.arrayContaining(['after write of outbox', 'after write of drafts', 'after sync/push']));
  for (let dieAt = 1; dieAt <= points.length; dieAt++) {
    const faults = new Faults((_point, count) => count === dieAt);
    await runTransfer(faults);
    expect(faults.dead, `point ${dieAt} (${points[dieAt - 1]}) was passed`).toBe(true);
  }
});

/**
 * One device exports. Another imports the file and may crash; after the restart it imports again and syncs. Then the first
 * device syncs, too.
 */
async function runTransfer(faults: Faults): Promise<Faults> {
  const token = await server.newAccount();
  const [old, fresh] = [new SimDevice({ url: server.url, token }), new SimDevice({ url: server.url, token })];
  try {
    await old.open(faultsWithoutNetwork());
    await record(old, ['load', 'cut']);
    await old.attempt(async (gemba) => {
      const { map_id } = await gemba.createMap({ name: 'Saw' });
      await gemba.addStage(map_id, { stage: 'Load' });
      old.createdMaps.add(map_id);
      await gemba.startRecording({ mapId: map_id });
    });
    const file = await old.attempt((gemba) => gemba.exportUnsent());
    for (const life of [faults, noFaults()]) {
      await fresh.open(life);
      await fresh.attempt((gemba) => gemba.importUnsent(file));
      await fresh.sync();
    }
    await bringToRest([fresh, old]);
    await expectNothingLost([fresh, old]);
  } finally {
    await Promise.all([old, fresh].map((device) => device.close()));
  }
  return faults;
}

function faultsWithoutNetwork(): Faults {
  const faults = noFaults();
  faults.fetch = () => Promise.reject(new TypeError('no network'));
  return faults;
}
