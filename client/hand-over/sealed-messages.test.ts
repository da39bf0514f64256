import { expect, onTestFinished, test } from 'vitest';
import { memoryStorage } from '../../test/device/devices.ts';
import { openDeviceTables } from '../storage/device-tables.ts';
import { openHandOverTable } from './hand-over-table.ts';
import { SealedMessages } from './sealed-messages.ts';

const clock = { schedule: () => () => {}, wallMs: () => 0 };
const clientId = '11111111-1111-4111-8111-111111111111';

async function messagesWith(id: string) {
  const tables = await openDeviceTables({ name: `watch-${crypto.randomUUID()}`, storage: memoryStorage(), clock });
  onTestFinished(() => tables.close());
  const table = await openHandOverTable(tables, clock.schedule);
  const messages = new SealedMessages(table);
  const answerSecret = { aead: 1, ephemeral: new Uint8Array([1]), secret: new Uint8Array([2]) } as const;
  const request = { kind: 'pull', path: '/' } as const;
  const message = { id, sealed: new Uint8Array([3]), answerSecret, receiptSecret: new Uint8Array([4]), request };
  await messages.add({
    fingerprint: 'one',
    sealed_for: 'token',
    client_id: clientId,
    offered_seq: 0,
    messages: [message],
  });
  return { messages, table };
}

test('[RELAY-61] the parts of an answer that two carriers bring are not joined, since each has a seal of its own', async () => {
  const { messages } = await messagesWith('a');
  const part = { type: 'answer', id: 'a', total: 4 } as const;
  expect(await messages.receive({ ...part, offset: 0, bytes: new Uint8Array([1, 2]) }, 'first')).toBeUndefined();
  expect(messages.answerBytes('a', 'first')).toBe(2);
  expect(messages.answerBytes('a', 'second')).toBe(0);
  expect(await messages.receive({ ...part, offset: 2, bytes: new Uint8Array([7, 8]) }, 'second')).toBeUndefined();
  const rest = new Uint8Array([3, 4]);
  expect(await messages.receive({ ...part, offset: 2, bytes: rest }, 'first')).toEqual(new Uint8Array([1, 2, 3, 4]));
});

test('[RELAY-61] a part that comes again counts once, and one of another length begins the answer anew', async () => {
  const { messages } = await messagesWith('a');
  const part = { type: 'answer', id: 'a', total: 4, offset: 0, bytes: new Uint8Array([1, 2]) } as const;
  for (let times = 0; times < 2; times++) await messages.receive(part, 'first');
  expect(messages.answerBytes('a', 'first')).toBe(2);
  expect(await messages.receive({ ...part, offset: 1, bytes: new Uint8Array([2, 3]) }, 'first')).toBeUndefined();
  expect(messages.answerBytes('a', 'first')).toBe(3);
  const other = new Uint8Array([5, 6, 7, 8, 9]);
  expect(await messages.receive({ ...part, total: 5, bytes: other }, 'first')).toEqual(other);
  expect(messages.answerBytes('a', 'first')).toBe(0);
});

test('[RELAY-89] the parts of an answer share rows of 16 KiB', async () => {
  const { messages, table } = await messagesWith('a');
  const answer = Uint8Array.from({ length: 40 * 1024 }, (_, at) => at % 251);
  let whole;
  for (let offset = 0; offset < answer.length; offset += 100) {
    const bytes = answer.slice(offset, offset + 100);
    whole = await messages.receive({ type: 'answer', id: 'a', total: answer.length, offset, bytes }, 'first');
  }
  expect(whole).toEqual(answer);
  const sizes = [...table.entries()].flatMap(([, body]) => (body.kind === 'answer_part' ? [body.bytes.length] : []));
  expect(sizes.length).toBe(3);
});
