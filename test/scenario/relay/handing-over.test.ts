/** A watch without a network hands its recordings to phones of other accounts, which bring them to the server. */
import { firstValueFrom } from 'rxjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testServer, type TestServer } from '../../device/test-server.ts';
import { channelKinds, cutAfter, FramesDevice } from './channels.ts';
import { deliver, meet, newCarryingPhone, newWatch, type CarryingPhone } from './watches.ts';

let server: TestServer;
beforeAll(async () => void (server = await testServer()));
afterAll(() => server.remove());

test.each(Object.keys(channelKinds))(
  '[RELAY-34] over %s recordings go from a watch to a phone, to the server, and the proof back',
  async (kind) => {
    const watch = await newWatch(server);
    const phone = await newCarryingPhone(server);
    const sessions = [await watch.record('First'), await watch.record('Second')];
    expect(await watch.custody(sessions[0]!)).toEqual({ custody: 'device', carriers: 0 });
    expect(await meet(watch, phone, channelKinds[kind]!())).toEqual({ given: 2, answered: 0, ended: 'done' });
    for (const session of sessions) expect(await watch.custody(session)).toEqual({ custody: 'device', carriers: 1 });
    expect(await watch.runs()).toEqual([]);

    phone.net.online = true;
    expect(await meet(watch, phone, channelKinds[kind]!())).toEqual({ given: 2, answered: 2, ended: 'done' });
    for (const session of sessions) expect(await watch.custody(session)).toEqual({ custody: 'server', carriers: 0 });
    expect((await watch.runs()).map((run) => run.recording_session_id)).toEqual(sessions);
    expect(await firstValueFrom(phone.carrier.carrying$)).toMatchObject({ messages: 0 });
  },
);

test('[RELAY-35] two phones have the same work, the first that delivers proves it, and the other changes nothing', async () => {
  const watch = await newWatch(server);
  const [one, other] = [await newCarryingPhone(server), await newCarryingPhone(server)];
  const session = await watch.record();
  await meet(watch, one);
  await meet(watch, other);
  // A phone that comes twice counts once.
  await meet(watch, one);
  expect(await watch.custody(session)).toEqual({ custody: 'device', carriers: 2 });
  await watch.restart();
  expect(await watch.custody(session)).toEqual({ custody: 'device', carriers: 2 });
  for (const phone of [other, one]) {
    phone.net.online = true;
    await meet(watch, phone);
    expect(await watch.custody(session)).toMatchObject({ custody: 'server' });
  }
  expect(await watch.custody(session)).toEqual({ custody: 'server', carriers: 0 });
  expect(await watch.runs()).toHaveLength(1);
});

test('[RELAY-36] a hand-over that breaks at any byte goes on, also after watch and phone restart, and each recording is one run', async () => {
  const seed = Number(process.env['GEMBA_SEED'] ?? Math.floor(Math.random() * 1_000_000));
  console.log(`GEMBA_SEED=${seed}`);
  let state = seed;
  // The low digits of this generator repeat soon.
  const below = (max: number) => ((state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 12) % max;
  const watch = await newWatch(server);
  const phone = await newCarryingPhone(server);
  const sessions = [await watch.record('One')];
  let proven = 0;
  for (let meetings = 0; proven < sessions.length; meetings++) {
    expect(meetings).toBeLessThan(300);
    // On a slow machine a request may outlive each short time with a network, and a phone makes 240 a minute at most.
    phone.net.online = below(2) === 0 || meetings > 60;
    // For devices that come, a phone tries 12 times a minute. When its network comes back, it syncs.
    if (phone.net.online && below(2) === 0) await phone.phone.sync();
    // The bytes that get through in both directions together, and some more each time.
    const pair = cutAfter(channelKinds['Node streams']!(), below(200 + meetings * 150));
    await meet(watch, phone, pair);
    if (below(4) === 0) await watch.restart();
    if (below(3) === 0 && sessions.length < 4) sessions.push(await watch.record(`Later ${meetings}`));
    const custodies = await Promise.all(sessions.map((session) => watch.custody(session)));
    proven = custodies.filter(({ custody }) => custody === 'server').length;
  }
  expect((await watch.runs()).map((run) => run.recording_session_id)).toEqual(sessions);
});

test('[RELAY-36] a message counts as given when the carrier has its last byte, and the rest follows what it has', async () => {
  const watch = await newWatch(server);
  await watch.record();
  const { near, far } = channelKinds['Node streams']!();
  const meeting = watch.handOver.handOver(far);
  const carrier = new FramesDevice(near);
  const hello = await carrier.next();
  if (hello?.type !== 'hello') throw new Error('The watch says hello first.');
  await carrier.send({ ...hello, role: 'carrier' });
  const part = await carrier.next();
  if (part?.type !== 'give') throw new Error('The watch gives its push.');
  await carrier.send({ type: 'have', id: part.id, offset: 10 });
  expect(await carrier.next()).toMatchObject({ type: 'give', id: part.id, offset: 10 });
  await carrier.send({ type: 'bye', code: 'full' });
  expect(await meeting).toEqual({ given: 0, answered: 0, ended: 'full' });
});

test('[RELAY-37] an answer that was changed on the way changes nothing, and an honest carrier helps', async () => {
  const watch = await newWatch(server);
  const [liar, honest] = [await newCarryingPhone(server), await newCarryingPhone(server)];
  const session = await watch.record();
  breakAnswers(liar);
  liar.net.online = true;
  expect(await meet(watch, liar)).toEqual({ given: 2, answered: 0, ended: 'done' });
  expect(await watch.custody(session)).toEqual({ custody: 'device', carriers: 1 });
  honest.net.online = true;
  expect(await meet(watch, honest)).toMatchObject({ answered: 2 });
  expect(await watch.custody(session)).toMatchObject({ custody: 'server' });
  expect(await watch.runs()).toHaveLength(1);
});

test('[RELAY-96] work of which each carrier has an answer that does not open gets through with the next meeting', async () => {
  const watch = await newWatch(server);
  const phones = [await newCarryingPhone(server), await newCarryingPhone(server)];
  const session = await watch.record();
  for (const phone of phones) {
    await meet(watch, phone);
    const broken = breakAnswers(phone);
    await deliver(phone);
    await expect.poll(() => broken.count).toBe(2);
  }
  for (const { net } of phones) net.answers('relay', (ask) => ask());
  expect(await meet(watch, phones[0]!)).toEqual({ given: 2, answered: 0, ended: 'done' });
  // The second phone has the broken answer to the first message, and the true one to the second.
  expect(await meet(watch, phones[1]!)).toMatchObject({ given: 2, answered: 2 });
  expect(await watch.custody(session)).toMatchObject({ custody: 'server' });
  expect(await watch.runs()).toHaveLength(1);
});

/** Turns the last bit of each answer that the phone gets, and counts them. */
function breakAnswers({ net }: CarryingPhone): { count: number } {
  const broken = { count: 0 };
  net.answers('relay', async (ask) => {
    const bytes = new Uint8Array(await (await ask()).arrayBuffer());
    bytes.set([bytes.at(-1)! ^ 1], bytes.length - 1);
    broken.count++;
    return new Response(bytes, { headers: { 'Content-Type': 'message/ohttp-res' } });
  });
  return broken;
}
