/** Devices whose clocks are broken, jump or stand still. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testServer, type TestServer } from '../../device/test-server.ts';
import { inDatabase } from '../../device/databases.ts';
import { current, device, network, manualSync } from '../../device/devices.ts';
import { recordingOf } from '../../device/phones.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

const noTime = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1];
/** A clock that returns no valid time from the second reading on. */
const breaking = (first: number) => {
  let reading = 0;
  return () => (reading++ === 0 ? first : noTime[reading % noTime.length]!);
};
const steady = (first: number, stepMs: number) => {
  let now = first;
  return () => (now += stepMs);
};
const start = Date.UTC(2026, 3, 1);

test.each([
  ['the wall clock', { wallMs: breaking(start), monotonicMs: steady(0, 1_000) }],
  ['the monotonic clock', { wallMs: steady(start, 1_000), monotonicMs: breaking(5) }],
  ['both clocks', { wallMs: breaking(start), monotonicMs: breaking(5) }],
  ['both clocks, always', { wallMs: () => Number.NaN, monotonicMs: () => Number.NaN }],
])(
  '[RECORDER-11] [RECORDER-13] where %s tells no time no duration is vouched for, and what is kept and sent are numbers',
  async (name, clocks) => {
    const token = await server.newAccount();
    const asking = manualSync(network());
    const options = {
      url: server.url,
      token,
      name: `device-${name}`,
      ...asking,
      clock: { ...asking.clock, ...clocks },
    };
    const phone = await device(options);
    const recording = await phone.startRecording({ newMap: { name: 'Saw' } });
    await recording.step({ stage_name: 'load' });
    await recording.step({ stage_name: 'cut' });
    const underWay = await inDatabase(options.name, ({ drafts }) =>
      Promise.resolve([...drafts.entries()].map(([, { at }]) => at)),
    );
    expect(underWay).toHaveLength(3);
    for (const at of underWay) expect([at.wall_ms, at.monotonic_ms].every(Number.isFinite)).toBe(true);
    const { run_id } = await recording.finish();
    await phone.sync();
    const run = await current(phone.run$(run_id));
    expect(run?.pending).toBe(false);
    expect(run?.steps.map(({ duration_estimated }) => duration_estimated)).toEqual([true, true]);
    const isLost = name.startsWith('both');
    for (const { duration_secs } of run!.steps) {
      expect(duration_secs > 0).toBe(!isLost);
      expect(duration_secs).toBeLessThan(60);
    }
  },
);

const dayMs = 24 * 60 * 60_000;

test('[STORAGE-20] a clock that jumped by months, also while the device synced, takes no receipt along; the time of the server does', async () => {
  const token = await server.newAccount();
  const net = network();
  const asking = manualSync(net);
  let wall_ms = Date.now();
  const clock = { ...asking.clock, wallMs: () => wall_ms };
  const options = { url: server.url, token, name: 'device-that-jumps', ...asking, clock };
  const open = () => device(options);
  const receipts = () =>
    inDatabase(options.name, ({ outbox }) =>
      Promise.resolve(
        [...outbox.entries()].filter(([, it]) => it.kind === 'mutation' && it.state === 'receipt').length,
      ),
    );
  let phone = await open();
  const { map_id } = await phone.createMap({ name: 'Saw' });
  for (const jumpMs of [100 * dayMs, -300 * dayMs, 0]) {
    await phone.importRecording({ mapId: map_id, recording: recordingOf(`after-${wall_ms}`) });
    await phone.sync();
    await phone.close();
    wall_ms += jumpMs;
    phone = await open();
    await phone.sync();
  }
  expect(await receipts()).toBe(3);

  net.answers('sync/pull', async (ask) => {
    const answer = await ask();
    const headers = { 'Content-Type': 'application/json', Date: new Date(Date.now() + 31 * dayMs).toUTCString() };
    return new Response(await answer.text(), { headers });
  });
  await phone.sync();
  expect(await receipts()).toBe(0);
});
