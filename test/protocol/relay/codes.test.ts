/** Base45 and the codes of a screen. */
import { expect, test } from 'vitest';
import { fromBase45, toBase45 } from '../../../shared/relay/base45.ts';
import {
  CodeCollector,
  codeTextsOf,
  decodeCode,
  encodeCode,
  orderOfCycle,
  type CollectResult,
} from '../../../shared/relay/code-frames.ts';
import { messageIdOf } from '../../../shared/relay/frames.ts';
import { normalizeTypedCode } from '../../../shared/relay/base32.ts';

const server = '0011223344556677';

const bytesOf = (text: string) => Uint8Array.from(new TextEncoder().encode(text));

test.each([
  ['AB', 'BB8'],
  ['Hello!!', '%69 VD92EX0'],
  ['base-45', 'UJCLQE7W581'],
  ['ietf!', 'QED8WEX0'],
  ['', ''],
])('[CODES-1] the example %s of RFC 9285 is encoded and decoded', (plain, encoded) => {
  expect(toBase45(bytesOf(plain))).toBe(encoded);
  expect(fromBase45(encoded)).toEqual(bytesOf(plain));
});

test('[CODES-1] a text that is no base45 is refused as a value', () => {
  // RFC 9285, 6: `GGW` is 65,536, too large for two bytes. `:::` and `::` are larger still.
  for (const text of ['GGW', ':::', '::', 'A', 'BB8B', 'ab', 'B_8', 'é!!']) expect(fromBase45(text)).toBeUndefined();
  expect(fromBase45('FGW')).toEqual(Uint8Array.of(255, 255));
});

const seed = Number(process.env['GEMBA_SEED'] ?? Math.floor(Math.random() * 1_000_000));
let state = seed;
const below = (max: number) => ((state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 12) % max;

async function messageOf(length: number) {
  const request = Uint8Array.from({ length }, () => below(256));
  const id = await messageIdOf(request);
  return { id, request, codes: codeTextsOf({ server, id, request }) };
}

test('[CODES-2] each cycle has all codes in another order, and each code fits a QR code of version 10', async () => {
  const { codes } = await messageOf(2_100);
  expect(codes).toHaveLength(9);
  // 395 characters of this alphabet fit version 10 with error correction level L (ISO/IEC 18004, table 7).
  expect(Math.max(...codes.map((code) => code.length))).toBeLessThanOrEqual(395);
  const orders = Array.from({ length: 50 }, (_, cycle) => orderOfCycle(9, cycle));
  for (const order of orders) expect(order.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(new Set(orders.map(String)).size).toBeGreaterThan(45);
});

test('[CODES-2] codes that are lost, doubled and mixed with others give each message back once', async () => {
  console.log(`GEMBA_SEED=${seed}`);
  const messages = await Promise.all([1, 240, 241, 5_000].map(messageOf));
  const shown = [
    ...messages.flatMap(({ codes }) => codes),
    'https://gemba.example/pair#7K3M-Q9TX',
    '',
    toBase45(bytesOf('x')),
  ];
  const collector = new CodeCollector(server);
  const whole: CollectResult[] = [];
  for (let cycle = 0; cycle < 30; cycle++) {
    for (const index of orderOfCycle(shown.length, cycle)) {
      if (below(3) === 0) continue;
      const collected = await collector.add(shown[index] ?? '');
      if (collected.kind !== 'whole') continue;
      whole.push(collected);
      collector.finish(collected.id);
    }
  }
  const found = whole.flatMap((one) => (one.kind === 'whole' ? [[one.id, one.request]] : []));
  expect(found.length).toBe(messages.length);
  expect(found).toEqual(expect.arrayContaining(messages.map(({ id, request }) => [id, request])));
});

test('[CODES-2] a changed code gives nothing, and the message comes with the next cycle', async () => {
  const { id, request, codes } = await messageOf(700);
  const collector = new CodeCollector(server);
  const frame = decodeCode(codes[1]!)!;
  const changed = encodeCode({ ...frame, data: frame.data.with(7, (frame.data[7]! + 1) % 256) });
  expect(await collector.add(codes[0]!)).toMatchObject({ kind: 'part', have: 1, total: 3 });
  expect(await collector.add(changed)).toMatchObject({ kind: 'part', have: 2 });
  expect(await collector.add(codes[2]!)).toEqual({ kind: 'nothing' });
  for (const code of codes.slice(0, 2)) expect(await collector.add(code)).toMatchObject({ kind: 'part' });
  expect(await collector.add(codes[2]!)).toMatchObject({ kind: 'whole', id, request });
  collector.finish(id);
  for (const code of codes) expect(await collector.add(code)).toEqual({ kind: 'nothing' });
});

test('[CODES-15] codes of another server are told, and nothing of them is collected', async () => {
  const { id, request, codes } = await messageOf(700);
  const other = codeTextsOf({ server: '0011223444556677', id, request });
  const collector = new CodeCollector(server);
  const name = id.slice(0, 4).toUpperCase();
  for (const code of other) expect(await collector.add(code)).toEqual({ kind: 'other_server', name });
  expect(await collector.add(codes[0]!)).toMatchObject({ kind: 'part', have: 1, total: 3 });
});

test('[CODES-16] a message that is whole comes again with each of its codes until it is stored', async () => {
  const { id, request, codes } = await messageOf(700);
  const collector = new CodeCollector(server);
  for (const code of codes.slice(0, 2)) await collector.add(code);
  for (const code of codes.toReversed()) {
    expect(await collector.add(code)).toMatchObject({ kind: 'whole', id, request });
  }
});

test('[CODES-2] a code on a watch has at most the 195 characters of a QR code of version 6', () => {
  const request = new Uint8Array(117);
  expect(codeTextsOf({ server, id: 'a'.repeat(32), request, dataBytes: 117 })[0]).toHaveLength(195);
});

test('[CODES-2] a code with an impossible index, length or version is none', async () => {
  const { id } = await messageOf(10);
  const data = Uint8Array.of(1);
  const frame = { server: server.slice(0, 8), id: id.slice(0, 8), index: 0, total: 1, data };
  expect(decodeCode(encodeCode(frame))).toEqual(frame);
  for (const broken of [
    { ...frame, index: 1 },
    { ...frame, total: 0 },
    { ...frame, data: new Uint8Array() },
    { ...frame, data: new Uint8Array(241) },
  ]) {
    expect(decodeCode(encodeCode(broken))).toBeUndefined();
  }
  // Versions 1 and 3.
  expect(decodeCode(toBase45(Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 1, 1)))).toBeUndefined();
  expect(decodeCode(toBase45(Uint8Array.of(3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1)))).toBeUndefined();
  expect(decodeCode(toBase45(Uint8Array.of(2, 0, 0)))).toBeUndefined();
});

test('[CODES-4] a typed receipt may have small letters, spaces and lookalikes', () => {
  expect(normalizeTypedCode(' 7k3m qoil ')).toBe('7K3MQ011');
});
