/** A carrier that keeps its channel alive and does nothing else costs a device little time and no network of its own. */
import { firstValueFrom } from 'rxjs';
import { filter } from 'rxjs/operators';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serverNameOf, type Frame } from '../../../../shared/relay/frames.ts';
import { testServer, type TestServer } from '../../../device/test-server.ts';
import { channelKinds, FramesDevice } from '../channels.ts';
import { handClock, type HandClock } from './hand-clock.ts';
import { meet, newCarryingPhone, newWatch, type CarryingPhone, type Watch } from '../watches.ts';

let server: TestServer;
beforeAll(async () => void (server = await testServer()));
afterAll(() => server.remove());

const otherId = '0123456789abcdef';

/** Returns the id by which the phone names itself to devices. */
async function carrierIdOf({ carrier }: CarryingPhone): Promise<string> {
  const { near, far } = channelKinds['Node streams']!();
  void carrier.carry(near);
  const device = new FramesDevice(far);
  const hello = await device.next();
  await device.leave();
  return hello?.type === 'hello' ? (hello.id ?? '') : '';
}

/** Lets the watch meet a carrier that answers each frame with the frames of `reply`. */
async function meetCarrier({ handOver }: Watch, live: boolean, reply: (frame: Frame) => Frame[], id = otherId) {
  // Node's streams throw when one side stops reading while bytes flow.
  const { near, far } = channelKinds['two message ports']!();
  const carrier = new FramesDevice(near);
  const name = await serverNameOf(new URL(server.url).origin);
  const hello = { type: 'hello', v: 1, role: 'carrier', server: name, online: true, free_bytes: 1_000_000 } as const;
  // The device may have ended the channel.
  const sayHello = () => carrier.send({ ...hello, id, live: true }).catch(() => undefined);
  const heard: Frame['type'][] = [];
  const meeting = { heard, sayHello, ended: undefined as string | undefined };
  await sayHello();
  void (async () => {
    for (let frame = await carrier.next(); frame; frame = await carrier.next()) {
      heard.push(frame.type);
      for (const answer of reply(frame)) await carrier.send(answer);
    }
  })().catch(() => undefined);
  void handOver.handOver(far, { live }).then(({ ended }) => (meeting.ended = ended));
  return meeting;
}

const untilServer = ({ watch }: Watch, session: string) =>
  firstValueFrom(watch.custody$(session).pipe(filter((custody) => custody === 'server')));

/** Lets no time pass while the watch syncs: requests and cryptography take real time. */
async function advanceAtRest(clock: HandClock, { watch }: Watch, ms: number): Promise<void> {
  const { phase } = await firstValueFrom(watch.status$);
  if (phase !== 'syncing') clock.advance(ms);
}

/** Says that it has all that it is given. */
const haveAll = (frame: Frame): Frame[] =>
  frame.type === 'give' ? [{ type: 'have', id: frame.id, offset: frame.offset + frame.bytes.length }] : [];

const failAsks = (frame: Frame): Frame[] =>
  frame.type === 'ask' ? [{ type: 'failed', id: frame.id, code: 'later' }] : haveAll(frame);

test('[RELAY-77] what a carrier fails goes to the network of the watch', async () => {
  const watch = await newWatch(server);
  const session = await watch.record();
  watch.net.online = true;
  const meeting = await meetCarrier(watch, true, failAsks);
  await expect.poll(() => meeting.heard).toContain('ask');
  void watch.watch.sync();
  await untilServer(watch, session);
});

test('[RELAY-78] a carrier that fails 3 requests of a kind in a row is asked no more, and gets what is left as hand-over', async () => {
  const clock = handClock();
  const watch = await newWatch(server, { clock });
  await watch.record();
  const meeting = await meetCarrier(watch, true, failAsks);
  const advance = async () => {
    await advanceAtRest(clock, watch, 1_000);
    return meeting.heard;
  };
  await expect.poll(advance, { interval: 5 }).toContain('give');
  expect(meeting.heard.filter((type) => type === 'ask').length).toBeLessThanOrEqual(6);
  expect(meeting.heard.lastIndexOf('ask')).toBeLessThan(meeting.heard.indexOf('give'));
});

test('[RELAY-77] what a carrier does not answer within 15 s goes to the network of the watch', async () => {
  const clock = handClock();
  const watch = await newWatch(server, { clock });
  const session = await watch.record();
  watch.net.online = true;
  const meeting = await meetCarrier(watch, true, ({ type }) => {
    if (type === 'ask') clock.advance(16_000);
    void meeting.sayHello();
    return [];
  });
  void watch.watch.sync();
  await untilServer(watch, session);
  expect(meeting.heard).toContain('ask');
});

test.each([true, false])(
  '[RELAY-79] a meeting with a carrier that says hello and brings nothing ends after 5 minutes (live: %s)',
  async (live) => {
    const clock = handClock();
    const watch = await newWatch(server, { clock });
    await watch.record();
    const meeting = await meetCarrier(watch, live, haveAll);
    await expect.poll(() => meeting.heard).toContain(live ? 'ask' : 'give');
    const started = clock.monotonicMs();
    const advance = () => {
      clock.advance(5_000);
      void meeting.sayHello();
      return meeting.ended;
    };
    await expect.poll(advance, { interval: 5 }).toBe('lost');
    expect(clock.monotonicMs() - started).toBeGreaterThanOrEqual(295_000);
  },
);

test('[RELAY-77] [RELAY-80] a watch stays beside a phone that answers, however long it has nothing to send, and has a network for the rest', async () => {
  const clock = handClock();
  const watch = await newWatch(server, { clock });
  const phone = await newCarryingPhone(server);
  phone.net.online = true;
  const { near, far } = channelKinds['Node streams']!();
  let hasEnded = false;
  void phone.carrier.carry(near);
  void watch.handOver.handOver(far, { live: true }).then(() => (hasEnded = true));
  const first = await watch.record();
  await untilServer(watch, first);
  let streams = 0;
  watch.net.answers('sync/events', () => Promise.reject(new TypeError(`no stream ${++streams}`)));
  for (const path of ['sync/push', 'sync/pull']) watch.net.answers(path, () => Promise.reject(new TypeError('lost')));
  watch.net.online = true;
  const elapse = async () => {
    await advanceAtRest(clock, watch, 5_000);
    return clock.monotonicMs();
  };
  await expect.poll(elapse, { interval: 5 }).toBeGreaterThan(700_000);
  expect(hasEnded).toBe(false);
  expect(streams).toBeGreaterThan(0);
  const second = await watch.record();
  await untilServer(watch, second);
  expect((await watch.runs()).map((run) => run.recording_session_id)).toEqual([first, second]);
});

test('[RELAY-85] a device asks a carrier only for the answers to what this one has', async () => {
  const watch = await newWatch(server);
  const phone = await newCarryingPhone(server);
  await watch.record();
  await meet(watch, phone);
  await watch.record();
  const ids: string[] = [];
  const meeting = await meetCarrier(watch, false, (frame) => {
    if ('id' in frame && frame.type !== 'hello') ids.push(frame.id ?? '');
    return frame.type === 'give' ? [{ type: 'bye', code: 'full' }] : [];
  });
  await expect.poll(() => meeting.ended).toBe('full');
  expect(meeting.heard).toEqual(['hello', 'give']);
  expect(new Set(ids).size).toBe(1);
  // The phone is asked for both of its messages.
  phone.net.online = true;
  expect(await meet(watch, phone)).toMatchObject({ answered: 4 });
});

test('[RELAY-87] a device that has the first bytes of another answer asks for all of the present one', async () => {
  const watch = await newWatch(server);
  const phone = await newCarryingPhone(server);
  const session = await watch.record();
  await meet(watch, phone);
  const meeting = await meetCarrier(
    watch,
    false,
    (frame) => {
      if (frame.type !== 'have') return frame.type === 'give' ? [{ type: 'bye', code: 'full' }] : [];
      return [{ type: 'answer', id: frame.id, total: 5_000, offset: 0, bytes: new Uint8Array(150) }];
    },
    await carrierIdOf(phone),
  );
  await expect.poll(() => meeting.ended).toBe('full');
  expect(meeting.heard).toContain('have');
  phone.net.online = true;
  expect(await meet(watch, phone)).toMatchObject({ answered: 2, ended: 'done' });
  expect(await watch.custody(session)).toMatchObject({ custody: 'server' });
});

test('[RELAY-88] a device ends the channel of a carrier that gives answers byte by byte', async () => {
  const watch = await newWatch(server);
  await watch.record();
  const parts = (id: string): Frame[] =>
    Array.from({ length: 2_100 }, (_, offset) => ({
      type: 'answer',
      id,
      total: 1_000_000,
      offset,
      bytes: new Uint8Array(1),
    }));
  const meeting = await meetCarrier(watch, false, (frame) =>
    frame.type === 'give' ? [...haveAll(frame), ...parts(frame.id)] : [],
  );
  await expect.poll(() => meeting.ended).toBe('lost');
});
