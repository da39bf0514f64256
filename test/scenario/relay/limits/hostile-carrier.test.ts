/** A carrier that keeps its channel alive and does nothing else costs a device little time and no network of its own. */
import { firstValueFrom } from 'rxjs';
import { filter } from 'rxjs/operators';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serverNameOf, type Frame } from '../../../../shared/relay/frames.ts';
import { testServer, type TestServer } from '../../../device/test-server.ts';
import { channelKinds, FramesDevice } from '../channels.ts';
import { handClock, type HandClock } from './hand-clock.ts';
import { newCarryingPhone, newWatch, type Watch } from '../watches.ts';

let server: TestServer;
beforeAll(async () => void (server = await testServer()));
afterAll(() => server.remove());

/** Lets the watch meet a carrier that answers each frame with the frames of `reply`. */
async function meetCarrier({ handOver }: Watch, live: boolean, reply: (frame: Frame) => Frame[]) {
  const { near, far } = channelKinds['Node streams']!();
  const carrier = new FramesDevice(near);
  const name = await serverNameOf(new URL(server.url).origin);
  const hello = { type: 'hello', v: 1, role: 'carrier', server: name, online: true, free_bytes: 1_000_000 } as const;
  // The device may have ended the channel.
  const sayHello = () => carrier.send({ ...hello, id: '0123456789abcdef', live: true }).catch(() => undefined);
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
