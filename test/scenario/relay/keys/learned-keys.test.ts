/** The keys that a watch learns of by sealed answers, also by late ones. */
import { expect, onTestFinished, test } from 'vitest';
import { openServer } from '../../../../server/app.ts';
import { operatorToken, accountMaker, type TestServer } from '../../../device/test-server.ts';
import { databaseFolders } from '../../operations/database-folders.ts';
import { deliver, meet, newCarryingPhone, newWatch, type CarryingPhone, type Watch } from '../watches.ts';

async function ownServer() {
  const { live: dataDir } = databaseFolders();
  const rateLimit = { requests: 1_000_000, secs: 60 };
  const running = await openServer({ dataDir, port: 0, host: '127.0.0.1', adminToken: operatorToken, rateLimit });
  onTestFinished(() => running.close());
  const server: TestServer = { ...running, newAccount: accountMaker(running.url), remove: () => running.close() };
  return { server, keys: running.services.serverKeys };
}

/** Resolves in another second of the server, since its answers tell no smaller time. */
async function nextSecond({ url }: TestServer): Promise<void> {
  const date = async () => (await fetch(`${url}/api/v1/relay/keys`)).headers.get('Date');
  const before = await date();
  await expect.poll(date).not.toBe(before);
}

/** Returns how many sealed requests the server has answered by way of the phone from now on. */
function countAnswers({ net }: CarryingPhone): () => number {
  let answered = 0;
  net.answers('relay', async (ask) => {
    const response = await ask();
    answered++;
    return response;
  });
  return () => answered;
}

/** Resolves to the id of the key to which the watch seals now. */
async function sealedTo(watch: Watch, phone: CarryingPhone): Promise<number | undefined> {
  let keyId: number | undefined;
  phone.net.answers('relay', (ask, { raw }) => {
    keyId = raw[0];
    return ask();
  });
  await watch.record();
  await meet(watch, phone);
  await deliver(phone);
  await expect.poll(() => keyId).toBeDefined();
  return keyId;
}

test('[RELAY-75] an answer that lay on its carrier does not bring a removed key back, and a later one brings the newest', async () => {
  const { server, keys } = await ownServer();
  const watch = await newWatch(server);
  const [late, other] = [await newCarryingPhone(server), await newCarryingPhone(server)];
  for (const phone of [late, other]) phone.net.online = false;
  await nextSecond(server);
  await watch.record();
  await meet(watch, late);
  const leaked = await keys.rotate();
  const answered = countAnswers(late);
  await deliver(late);
  await expect.poll(answered).toBe(2);

  const { added } = await keys.rotate();
  for (const id of leaked.added) expect(await keys.remove(id)).toBe('removed');
  await nextSecond(server);
  await watch.record();
  await meet(watch, other);
  await deliver(other);
  await expect.poll(async () => (await watch.runs()).length).toBe(2);
  await meet(watch, other);
  expect(added).toContain(await sealedTo(watch, other));
  late.net.online = false;
  expect(await meet(watch, late)).toMatchObject({ answered: 2 });
  expect(added).toContain(await sealedTo(watch, other));
});
