/** Devices that come back after the server forgot the answers to their pushes. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sweepAllAccounts } from '../../../server/store/retention.ts';
import type { MapRecord } from '../../../shared/schema/map.ts';
import type { RunRecord } from '../../../shared/schema/run.ts';
import { testServer, type TestServer } from '../../device/test-server.ts';
import { atRest, current } from '../../device/devices.ts';
import { phonesOf, recordingOf, sync } from '../../device/phones.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

const twoYearsMs = 2 * 365 * 86_400_000;

test('[MUTATE-21] [MUTATE-37] a device that comes back after its answers were removed loses nothing and doubles nothing, nor does one that carries its work', async () => {
  const { rest, newPhone } = await phonesOf(server);
  const [lost, other] = [await newPhone(), await newPhone()];
  const { map_id: binned } = await lost.phone.createMap({ name: 'Binned' });
  await sync(lost);
  await rest.send('POST', `/maps/${binned}/delete`);
  const { map_id } = await lost.phone.createMap({ name: 'Saw' });
  await lost.phone.importRecording({ mapId: map_id, recording: recordingOf('kept') });
  await lost.phone.importRecording({ mapId: binned, recording: recordingOf('refused') });
  lost.net.answers('sync/push', async (ask) => {
    await ask();
    throw new TypeError('cut');
  });
  lost.net.answers('sync/pull', () => Promise.reject(new TypeError('cut')));
  await sync(lost);
  expect(await rest.list<RunRecord>(`/maps/${map_id}/runs`)).toHaveLength(1);
  expect(await atRest(lost.phone)).toMatchObject({ pending: 3 });
  const unsent = await lost.phone.exportUnsent();
  await sweepAllAccounts({ store: server.store, now: () => Date.now() + twoYearsMs });

  for (const path of ['sync/push', 'sync/pull']) lost.net.answers(path, (ask) => ask());
  for (let round = 0; round < 2; round++) await sync(lost);
  expect(await atRest(lost.phone)).toMatchObject({ pending: 0, attention: 1 });
  const [refused] = await current(lost.phone.attention$);
  expect(refused).toMatchObject({ name: 'upload_recording', error: { code: 'map_deleted' } });
  expect(await current(lost.phone.custody$('kept'))).toBe('server');
  expect(await current(lost.phone.custody$('refused'))).toBe('device');

  await other.phone.importUnsent(unsent);
  for (let round = 0; round < 3; round++) await sync(other);
  const [carried, ...others] = await current(other.phone.attention$);
  expect([carried, others]).toMatchObject([{ name: 'upload_recording', error: { code: 'map_deleted' } }, []]);
  expect(await current(other.phone.custody$('refused'))).toBe('device');
  expect(await rest.list<RunRecord>(`/maps/${map_id}/runs`)).toHaveLength(1);
  expect((await rest.list<MapRecord>('/maps')).map(({ name }) => name)).toEqual(['Saw']);
});
