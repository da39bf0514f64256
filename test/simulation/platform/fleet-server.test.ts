import { expect, onTestFinished, test } from 'vitest';
import { randomOf } from '../../random.ts';
import { FleetServer } from './fleet-server.ts';
import { isSuccess } from './in-process.ts';
import { bytesFrom } from './seeded.ts';
import { VirtualTime } from './virtual-time.ts';

async function openServer(processes = 1) {
  const deaths: string[] = [];
  const server = await FleetServer.open({
    time: new VirtualTime(),
    randomBytes: bytesFrom(randomOf(1)),
    processes,
    onDeath: (point) => deaths.push(point),
  });
  onTestFinished(() => server.remove());
  const headers = { authorization: `Bearer ${await server.newAccount('team')}`, 'content-type': 'application/json' };
  const ask = (method: string, path: string, body = '') =>
    server.ask({ method, target: `/api/v1${path}`, headers, body });
  return { server, ask, deaths };
}

test('[SIM-13] a server dies before or after any call of its store, and what was committed stays', async () => {
  const { server, ask, deaths } = await openServer();
  const committed: string[] = [];
  for (let point = 1; point <= pointsTried; point++) {
    const name = `map ${point}`;
    server.dieAt(1 + (point % 6));
    const answer = await ask('POST', '/maps', JSON.stringify({ name })).catch(() => undefined);
    server.cancelDeath();
    if ((answer && isSuccess(answer)) || deaths.at(-1) === 'after transact') committed.push(name);
    if (!answer) await expect(ask('GET', '/maps')).rejects.toThrow('the server is down');
    await server.ensureAlive();
  }
  expect(deaths).toEqual(expect.arrayContaining(['before token', 'before transact', 'after transact']));
  const { data } = JSON.parse((await ask('GET', '/maps')).body.toString()) as { data: { name: string }[] };
  expect(data.map(({ name }) => name)).toEqual(expect.arrayContaining(committed));
  expect(data.length).toBeLessThan(pointsTried);
  expect(server.bugs).toEqual([]);
});

test('[SIM-39] what the simulation itself reads from a store kills no server process', async () => {
  const { server, deaths } = await openServer();
  server.dieAt(1);
  const reading = server.store.clientOwner('nobody');
  expect(deaths).toEqual([]);
  expect(await reading).toBeUndefined();
  expect(deaths).toEqual([]);
});

test('[SIM-25] several processes serve one store, and the others answer while one is dead', async () => {
  const { server, ask, deaths } = await openServer(3);
  server.dieAt(1);
  const askOften = () =>
    Promise.all(Array.from({ length: asksTried }, () => ask('GET', '/maps').then(isSuccess, () => false)));
  const answered = await askOften();
  expect(deaths).toHaveLength(1);
  expect(answered.filter((is) => is).length).toBeGreaterThan(asksTried / 3);
  expect(answered).toContain(false);
  await ask('POST', '/maps', JSON.stringify({ name: 'Saw' })).catch(() => {});
  await server.ensureAlive();
  expect(await askOften()).not.toContain(false);
});

const asksTried = 30;
const pointsTried = 18;
