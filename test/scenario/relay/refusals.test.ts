/** A device gets refusals, answers that are late, and no answers from its carriers. */
import { firstValueFrom } from 'rxjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHandOver } from '../../../client/client.ts';
import { openHandOverTable } from '../../../client/hand-over/hand-over-table.ts';
import { SealedMessages } from '../../../client/hand-over/sealed-messages.ts';
import { openDeviceTables } from '../../../client/storage/device-tables.ts';
import { device, manualSync, memoryStorage } from '../../device/devices.ts';
import { sharedStorage } from '../../device/shared-storage.ts';
import { testServer, type TestServer } from '../../device/test-server.ts';
import { deliver, meet, newCarryingPhone, newWatch, pairAgain, revoke } from './watches.ts';

let server: TestServer;
beforeAll(async () => void (server = await testServer()));
afterAll(() => server.remove());

const problem = (status: number, code: string) =>
  new Response(JSON.stringify({ code, status, title: code, detail: code }), {
    status,
    headers: { 'Content-Type': 'application/problem+json' },
  });

test('[RELAY-50] a device waits for no answer that its carrier will not bring, and counts no carrier that forgot the work', async () => {
  const watch = await newWatch(server);
  const phone = await newCarryingPhone(server);
  const session = await watch.record();
  await meet(watch, phone);
  expect(await watch.custody(session)).toEqual({ custody: 'device', carriers: 1 });
  phone.net.answers('relay', () => problem(503, 'unavailable'));
  phone.net.online = true;
  expect(await meet(watch, phone)).toEqual({ given: 2, answered: 0, ended: 'done' });
  expect(await watch.custody(session)).toEqual({ custody: 'device', carriers: 1 });
  phone.net.answers('relay', () => problem(422, 'relay_key_unknown'));
  expect(await meet(watch, phone)).toEqual({ given: 0, answered: 0, ended: 'done' });
  expect(await watch.custody(session)).toEqual({ custody: 'device', carriers: 0 });
  // Another phone gets it all the same.
  const other = await newCarryingPhone(server);
  other.net.online = true;
  expect(await meet(watch, other)).toEqual({ given: 2, answered: 2, ended: 'done' });
  expect(await watch.custody(session)).toEqual({ custody: 'server', carriers: 0 });
});

test('[RELAY-51] a refusal of what an earlier token asked is no problem of the device that was paired again', async () => {
  const watch = await newWatch(server);
  const [slow, fast] = [await newCarryingPhone(server), await newCarryingPhone(server)];
  const session = await watch.record();
  await meet(watch, slow);
  await revoke(watch);
  await pairAgain(watch);
  // The newest hand-over is still that of the earlier token.
  let delivered = 0;
  slow.net.answers('relay', async (ask) => {
    const response = await ask();
    delivered++;
    return response;
  });
  slow.net.online = true;
  await slow.phone.sync();
  await expect.poll(() => delivered).toBe(2);
  slow.net.answers('relay', () => Promise.reject(new TypeError('no network')));
  expect(await meet(watch, slow)).toMatchObject({ answered: 2 });
  expect(await firstValueFrom(watch.handOver.handOverProblem$)).toBeNull();
  fast.net.online = true;
  for (let meetings = 0; meetings < 3; meetings++) await meet(watch, fast);
  expect(await watch.custody(session)).toMatchObject({ custody: 'server' });
});

test('[RELAY-51] a device that is refused hands nothing over again in the same meeting', async () => {
  const watch = await newWatch(server);
  const phone = await newCarryingPhone(server);
  await watch.record();
  await revoke(watch);
  phone.net.online = true;
  expect(await meet(watch, phone)).toEqual({ given: 2, answered: 2, ended: 'done' });
  expect(await firstValueFrom(watch.handOver.handOverProblem$)).toMatchObject({ code: 'unauthorized' });
  expect(await meet(watch, phone)).toEqual({ given: 2, answered: 2, ended: 'done' });
});

async function messagesOn(storage = memoryStorage()) {
  const clock = { schedule: () => () => {}, wallMs: Date.now };
  const tables = await openDeviceTables({ name: `watch-${crypto.randomUUID()}`, storage, clock });
  const table = await openHandOverTable(tables, clock.schedule);
  return { messages: new SealedMessages(table), table, close: () => tables.close() };
}

test('[RELAY-52] what one carrier gave of an answer goes with that carrier alone', async () => {
  const { messages, close } = await messagesOn();
  const id = '11'.repeat(16);
  const part = (total: number) => ({ type: 'answer', id, total, offset: 0, bytes: new Uint8Array(4) }) as const;
  await messages.receive(part(10), 'a');
  await messages.receive(part(11), 'b');
  await messages.receive(part(12), 'b');
  expect([messages.answerBytes(id, 'a'), messages.answerBytes(id, 'b')]).toEqual([4, 4]);
  await messages.forgetAnswer(id, 'b');
  expect([messages.answerBytes(id, 'a'), messages.answerBytes(id, 'b')]).toEqual([4, 0]);
  await close();
});

test('[RELAY-52] the parts of answers have a bound, whatever carriers call themselves', async () => {
  const { messages, table, close } = await messagesOn();
  const id = '22'.repeat(16);
  const part = { type: 'answer', id, total: 9, offset: 0, bytes: new Uint8Array(4) } as const;
  const charsOf = (body: object) => ('bytes' in body ? String(body.bytes).length : 0);
  const stored = () => [...table.entries()].reduce((sum, [, body]) => sum + charsOf(body), 0);
  for (let carrier = 0; carrier < 20; carrier++) await messages.receive(part, String(carrier));
  expect([...table.entries()]).toHaveLength(8);
  const chars = 11 * 1024 * 1024;
  for (const carrier of ['17', '18', '19']) {
    const body = { kind: 'answer_part', total: 2 * chars, bytes: 'A'.repeat(chars) } as const;
    await table.write([{ id: `answer|${id}|${carrier}|00000004`, body }]);
  }
  expect(stored()).toBeGreaterThan(32 * 1024 * 1024);
  await messages.receive(part, 'new');
  expect(stored()).toBeLessThan(32 * 1024 * 1024);
  expect(messages.answerBytes(id, 'new')).toBe(4);
  await close();
});

test('[RELAY-54] an answer that lay on its carrier for days does not tell the device what time it is', async () => {
  const threeDaysMs = 3 * 24 * 3_600_000;
  const storage = memoryStorage();
  const name = `watch-${crypto.randomUUID()}`;
  const clock = { schedule: () => () => {}, wallMs: () => Date.now() + threeDaysMs };
  const watch = await newWatch(server, { clock, storage, name });
  await watch.restart();
  const phone = await newCarryingPhone(server);
  const session = await watch.record();
  await meet(watch, phone);
  await deliver(phone);
  await meet(watch, phone);
  expect(await watch.custody(session)).toMatchObject({ custody: 'server' });
  await watch.watch.close();
  const tables = await openDeviceTables({ name, storage, clock });
  const rows = await tables.outbox.readAll();
  await tables.close();
  const provenAt = rows.flatMap(([, body]) => ('acknowledged_at' in body ? [body.acknowledged_at] : []));
  expect(provenAt).toHaveLength(1);
  expect(Date.parse(provenAt[0]!)).toBeGreaterThan(Date.now() + threeDaysMs - 60_000);
});

test('[RELAY-55] two tabs that hand over at the same time hand over the same', async () => {
  const tabs = sharedStorage();
  const name = `watch-${crypto.randomUUID()}`;
  const watch = await newWatch(server, { name, storage: tabs.storage() });
  const session = await watch.record();
  const second = createHandOver();
  await device({
    url: server.url,
    ...manualSync(watch.net),
    name,
    storage: tabs.storage(),
    kind: 'wearable',
    handOver: second,
  });
  const phones = [await newCarryingPhone(server), await newCarryingPhone(server)] as const;
  const meetings = [meet(watch, phones[0]), meet({ handOver: second }, phones[1])];
  const both = { given: 2, answered: 0, ended: 'done' };
  expect(await Promise.all(meetings)).toEqual([both, both]);
  // The tabs are not told of each other's writes, so only a new one reads both.
  await watch.restart();
  expect(await watch.custody(session)).toEqual({ custody: 'device', carriers: 2 });
  for (const phone of phones) await deliver(phone);
  await meet({ handOver: second }, phones[1]);
  expect((await watch.runs()).map((run) => run.recording_session_id)).toEqual([session]);
});
