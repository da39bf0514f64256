/** The order of maps on devices and on the server. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MapRecord } from '../../../shared/schema/map.ts';
import { testServer, type TestServer } from '../../device/test-server.ts';
import { inDatabase } from '../../device/databases.ts';
import { current, memoryStorage } from '../../device/devices.ts';
import { phonesOf, sync, type Phone } from '../../device/phones.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

const namesOf = async ({ phone }: Phone) => (await current(phone.maps$)).map(({ name }) => name);

/** A recording that creates a map takes the map's id at its start, so before the id of the map made during it. */
async function makeMaps({ phone }: Phone): Promise<void> {
  const recording = await phone.startRecording({ newMap: { name: 'Recorded' } });
  await recording.step({ stage_name: 'Cut' });
  for (const name of ['First', 'Second', 'Third']) await phone.createMap({ name });
  await recording.finish();
}
const expectedOrder = ['Recorded', 'Third', 'Second', 'First'];

test('[SYNC-34] maps stand in the order of GET /maps on every device, before the sync and after it', async () => {
  const { rest, newPhone } = await phonesOf(server);
  const [maker, other] = [await newPhone(), await newPhone()];
  await makeMaps(maker);
  expect(await namesOf(maker)).toEqual(expectedOrder);
  await sync(maker);
  await sync(other);
  const onServer = await rest.list<MapRecord>('/maps');
  expect(onServer.map(({ name }) => name)).toEqual(expectedOrder);
  for (const phone of [maker, other]) {
    const shown = (await current(phone.phone.maps$)).map(({ pending: _pending, ...record }) => record);
    expect(shown).toEqual(onServer);
  }
});

test('[SYNC-77] a map that is not synced yet comes before one that the server made later', async () => {
  const { rest, newPhone } = await phonesOf(server);
  const maker = await newPhone();
  maker.net.answers('sync/push', () => Promise.reject(new TypeError('cut')));
  await maker.phone.createMap({ name: 'Not synced' });
  await rest.send('POST', '/maps', { name: 'Made later' });
  await sync(maker);
  expect(await namesOf(maker)).toEqual(['Not synced', 'Made later']);
});

test('[SYNC-78] a device that pulled maps before the server told their order pulls them anew', async () => {
  const { newPhone } = await phonesOf(server);
  const name = 'device-of-before';
  const before = await newPhone({ name, storage: memoryStorage() });
  await makeMaps(before);
  await sync(before);
  await before.phone.close();
  await inDatabase(name, async ({ records }) => {
    const rows = [...records.entries()].map(([id, body]) => {
      if (body.kind === 'map') {
        const { created_version: _notYet, ...doc } = body.doc;
        return { id, body: { ...body, doc } };
      }
      if (body.kind !== 'cursor') return { id, body };
      const { doc_version: _none, ...cursor } = body;
      return { id, body: cursor };
    });
    await records.write(rows);
  });
  const after = await newPhone({ name, storage: memoryStorage() });
  expect(await namesOf(after)).toEqual(expectedOrder);
});
