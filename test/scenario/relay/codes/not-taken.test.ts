/** A phone sees codes that it does not carry. */
import { firstValueFrom } from 'rxjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeTextsOf } from '../../../../shared/relay/code-frames.ts';
import { messageIdOf, serverNameOf } from '../../../../shared/relay/frames.ts';
import { testServer, type TestServer } from '../../../device/test-server.ts';
import { deliver, newCarryingPhone, newWatch } from '../watches.ts';

let server: TestServer;
let other: TestServer;
beforeAll(async () => {
  [server, other] = [await testServer(), await testServer()];
});
afterAll(async () => {
  await server.remove();
  await other.remove();
});

test('[CODES-15] a phone of another server takes nothing, and says why', async () => {
  const watch = await newWatch(server);
  const [phone, own] = [await newCarryingPhone(other), await newCarryingPhone(server)];
  own.net.online = false;
  await watch.record();
  const { cycle, names } = await watch.handOver.showCodes();
  const reader = await phone.carrier.readCodes();
  for (const text of cycle(0)) expect(await reader.add(text)).toEqual({ kind: 'other_server', name: names[0] });
  expect(await firstValueFrom(phone.carrier.readCodes$)).toEqual([]);
  expect(await firstValueFrom(phone.carrier.carrying$)).toMatchObject({ messages: 0 });

  const ownReader = await own.carrier.readCodes();
  let last;
  for (const text of cycle(0)) last = await ownReader.add(text);
  expect(last).toEqual({ kind: 'whole', name: names[0] });
});

test('[CODES-16] a phone without room says so with each code, and takes the message once it has delivered others', async () => {
  const watch = await newWatch(server);
  const phone = await newCarryingPhone(server);
  phone.net.online = false;
  const reader = await phone.carrier.readCodes();
  const name = await serverNameOf(new URL(server.url).origin);
  const roomFor = 64;
  for (let index = 0; index < roomFor; index++) {
    const request = crypto.getRandomValues(new Uint8Array(20));
    const [code] = codeTextsOf({ server: name, id: await messageIdOf(request), request });
    expect(await reader.add(code!)).toMatchObject({ kind: 'whole' });
  }
  await watch.record();
  const { cycle, names } = await watch.handOver.showCodes();
  const [code] = cycle(1);
  for (const text of cycle(0)) await reader.add(text);
  for (let time = 0; time < 2; time++) expect(await reader.add(code!)).toEqual({ kind: 'full', name: names[0] });
  const isHere = async () => (await firstValueFrom(phone.carrier.readCodes$)).some((one) => one.name === names[0]);
  expect(await isHere()).toBe(false);

  // The server refuses what is no sealed request, and the phone forgets its bytes.
  await deliver(phone);
  await expect.poll(() => reader.add(code!)).toEqual({ kind: 'whole', name: names[0] });
  expect(await isHere()).toBe(true);
  expect(await reader.add(code!)).toEqual({ kind: 'nothing' });
  await expect.poll(async () => (await watch.runs()).length).toBe(1);
});

test('[CODES-17] a phone says of a hand-over that its server never opens that it is refused, also when it reads it again', async () => {
  const watch = await newWatch(server);
  const phone = await newCarryingPhone(server);
  await watch.record();
  const { cycle, names } = await watch.handOver.showCodes();
  const readAll = async () => {
    const reader = await phone.carrier.readCodes();
    let last;
    for (const text of cycle(0)) last = await reader.add(text);
    return last;
  };
  const headers = { 'Content-Type': 'application/problem+json' };
  const problem = JSON.stringify({ code: 'relay_key_unknown', status: 422 });
  phone.net.answers('relay', () => new Response(problem, { status: 422, headers }));
  phone.net.online = false;
  expect(await readAll()).toEqual({ kind: 'whole', name: names[0] });
  const told = async () => firstValueFrom(phone.carrier.readCodes$);
  expect(await told()).toMatchObject([{ delivered: false, refused: false }]);
  await deliver(phone);
  await expect.poll(told).toMatchObject([{ delivered: false, refused: true, receipt: null }]);
  expect(await readAll()).toEqual({ kind: 'refused', name: names[0] });
  expect(await told()).toHaveLength(1);
});
