/** The order and the patience of a carrier's deliveries, over a network that answers as a test says, on a clock of its own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteRows } from '../../../../carry/sqlite-rows.ts';
import { CarriedMessages } from '../../../../client/relay/carried-messages.ts';
import { Deliveries } from '../../../../client/relay/delivery/deliveries.ts';
import { GivingSession } from '../../../../client/relay/giving-session.ts';
import { messageIdOf } from '../../../../shared/relay/frames.ts';
import { handClock } from './hand-clock.ts';

type Answer = (sealed: Uint8Array) => Response;

const day = 24 * 3_600_000;
const answered = () =>
  new Response(new Uint8Array(64), { status: 200, headers: { 'Content-Type': 'message/ohttp-res' } });
/** The server refuses the byte of the probe. */
const normal: Answer = (sealed) =>
  sealed.length === 1 ? Response.json({ code: 'relay_malformed', status: 400 }, { status: 400 }) : answered();
const broken: Answer = () => {
  throw new TypeError('no network');
};

async function openCarrier({ wallMs = () => Date.now() } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'gemba-deliveries-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const rows = await openSqliteRows(join(folder, 'carried.db'));
  onTestFinished(() => rows.close());
  const clock = handClock();
  const messages = new CarriedMessages(rows, wallMs);
  const line = { answer: broken, lengths: [] as number[] };
  const deliveries = new Deliveries({
    messages,
    url: 'https://gemba.example',
    fetch: async (_url, init) => {
      const sealed = init!.body as Uint8Array;
      line.lengths.push(sealed.length);
      return line.answer(sealed);
    },
    token: () => 'token',
    schedule: clock.schedule,
    hasOwnWork: () => false,
    onAnswered: () => {},
    onFailed: () => {},
    onReachable: () => {},
  });
  onTestFinished(() => deliveries.stop());
  const give = async (length: number, givingSession = new GivingSession()) => {
    const sealed = new Uint8Array(length);
    crypto.getRandomValues(sealed.subarray(0, 65_536));
    const id = await messageIdOf(sealed);
    const received = await messages.receive(
      { type: 'give', id, total: length, offset: 0, bytes: sealed },
      givingSession,
    );
    messages.release(givingSession);
    return { id, received };
  };
  /** Lets the time pass, and the rounds that are due in it end. */
  const pass = async (ms: number) => {
    clock.advance(ms);
    await deliveries.deliver();
  };
  return { messages, deliveries, line, give, pass, clock };
}

test('[RELAY-105] a message that was lost alone is tried again after a minute, however often devices come', async () => {
  const { messages, deliveries, line, give, pass } = await openCarrier();
  const { id } = await give(500);
  line.answer = (sealed) => (sealed.length === 500 ? broken(sealed) : normal(sealed));
  await deliveries.deliver();
  expect(line.lengths.filter((length) => length === 500)).toHaveLength(2);
  line.answer = normal;
  for (let passed = 0; passed < 50; passed += 10) {
    await pass(10_000);
    expect(messages.heldIds).toEqual([id]);
  }
  await pass(10_000);
  expect(messages.heldIds).toEqual([]);
});

test('[RELAY-109] a message with which the network ends each time holds up the others for some rounds only', async () => {
  const { messages, line, give, pass, clock } = await openCarrier();
  let downUntilMs = 0;
  line.answer = (sealed) => {
    if (clock.monotonicMs() < downUntilMs) return broken(sealed);
    if (sealed.length !== 500) return normal(sealed);
    downUntilMs = clock.monotonicMs() + 20_000;
    return broken(sealed);
  };
  const { id: deadly } = await give(500);
  for (let count = 0; count < 5; count++) await give(100);
  for (let minute = 0; minute < 10; minute++) await pass(60_000);
  expect(messages.heldIds).toEqual([deadly]);
});

test('[RELAY-109] a message that something answers with 429 each time holds up the others for some rounds only', async () => {
  const { messages, line, give, pass } = await openCarrier();
  line.answer = (sealed) =>
    sealed.length === 500 ? new Response(null, { status: 429, headers: { 'Retry-After': '10' } }) : normal(sealed);
  const { id: limited } = await give(500);
  for (let count = 0; count < 5; count++) await give(100);
  for (let minute = 0; minute < 10; minute++) await pass(60_000);
  expect(messages.heldIds).toEqual([limited]);
});

test('[RELAY-109] a carrier that was out of reach delivers in the order in which the messages came', async () => {
  const { messages, line, give, pass } = await openCarrier();
  for (let count = 0; count < 4; count++) await give(100 + count);
  for (let minute = 0; minute < 10; minute++) await pass(60_000);
  line.lengths.length = 0;
  line.answer = normal;
  await pass(60_000);
  expect(line.lengths).toEqual([1, 100, 101, 102, 103]);
  expect(messages.heldIds).toEqual([]);
});

test('[RELAY-105] messages that something on the way refuses give way in a carrier that has no others', async () => {
  const { line, give, pass } = await openCarrier();
  line.answer = (sealed) => (sealed.length > 1_000_000 ? new Response('too large', { status: 413 }) : normal(sealed));
  for (let count = 0; count < 15; count++) await give(1_080 * 1024);
  expect((await give(700_000)).received).toMatchObject({ code: 'full' });
  for (let minute = 0; minute < 5; minute++) await pass(60_000);
  expect((await give(700_000)).received).toMatchObject({ isWhole: true });
});

test('[RELAY-110] an answer stays for its device, also when the clock is set right by years, or the network was away for weeks', async () => {
  for (const [takenAt, answeredAt] of [
    [600_000, Date.UTC(2026, 5, 1)],
    [Date.UTC(2026, 5, 1), Date.UTC(2026, 5, 16)],
  ] as const) {
    let now: number = takenAt;
    const { messages, line, give, pass } = await openCarrier({ wallMs: () => now });
    const { id } = await give(100);
    await pass(60_000);
    now = answeredAt;
    line.answer = normal;
    await pass(60_000);
    expect(messages.answerHeadOf(id)).toBeDefined();
    now += 13 * day;
    await messages.dropExpired(new Set());
    expect(messages.answerHeadOf(id)).toBeDefined();
    now += 2 * day;
    await messages.dropExpired(new Set());
    expect(messages.answerHeadOf(id)).toBeUndefined();
  }
});

test('[RELAY-110] an answer stays when the clock is set right after it came', async () => {
  let now = 600_000;
  const { messages, line, give, pass } = await openCarrier({ wallMs: () => now });
  line.answer = normal;
  const { id } = await give(100);
  await pass(60_000);
  now = Date.UTC(2026, 5, 1);
  await give(100);
  expect(messages.answerHeadOf(id)).toBeDefined();
});
