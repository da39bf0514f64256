/** A tab that slept between the server's answer and its own write, while another tab led. */
import type { RxDocumentData, RxStorageInstance, RxStorageInstanceCreationParams } from 'rxdb';
import { filter } from 'rxjs/operators';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AnyRxStorage } from '../../rx-storage.ts';
import { cursorRowId, type RecordBody, type Row } from '../../../client/storage/rows.ts';
import { protocolHeader, protocolVersion } from '../../../shared/protocol/version.ts';
import { restClient, testServer, type TestServer } from '../../device/test-server.ts';
import { atRest, current, device, memoryStorage } from '../../device/devices.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

type Records = RxStorageInstance<Row<RecordBody>, unknown, unknown>;

/** A storage that another tab opens, too; the first tab does not learn of the other's writes. */
function sharedStorage(): { storage: AnyRxStorage; otherTab: () => Promise<Records> } {
  const inner = memoryStorage();
  let opened: RxStorageInstanceCreationParams<unknown, unknown> | undefined;
  return {
    storage: {
      ...inner,
      createStorageInstance: async (params) => {
        const instance = await inner.createStorageInstance(params);
        if (!params.collectionName.startsWith('records')) return instance;
        opened = params as typeof opened;
        const news$ = instance.changeStream().pipe(filter(({ context }) => context !== 'other tab'));
        return Object.assign(instance, { changeStream: () => news$ });
      },
    },
    otherTab: () => inner.createStorageInstance(opened as never) as never,
  };
}

/** Stores a pull of the other tab that moved only the cursor. */
async function storePullTo(records: Records, cursor: string): Promise<void> {
  const [previous] = (await records.findDocumentsById([cursorRowId], false)) as [RxDocumentData<Row<RecordBody>>];
  const height = Number.parseInt(previous._rev, 10) + 1;
  const body = { ...previous.body, cursor } as RecordBody;
  const { error } = await records.bulkWrite(
    [{ previous, document: { ...previous, body, _rev: `${height}-other` } }],
    'other tab',
  );
  expect(error).toEqual([]);
}

async function pullNewestCursor(token: string): Promise<string> {
  const query = new URLSearchParams({ cursor: '', limit: '1000', kinds: 'map,run' });
  const headers = { Authorization: `Bearer ${token}`, [protocolHeader]: String(protocolVersion) };
  const answer = await fetch(`${server.url}/api/v1/sync/pull?${query}`, { headers });
  return ((await answer.json()) as { cursor: string }).cursor;
}

test('[TABS-20] [SYNC-79] a run that another tab learned to be deleted does not come back with a late walk', async () => {
  const token = await server.newAccount();
  const rest = restClient(server.url, token);
  const { storage, otherTab } = sharedStorage();
  const steps = [{ stage_name: 'Cut', order: 1, duration_secs: 9 }];
  let onAnswer = async (): Promise<void> => {};
  const fetchLate: typeof fetch = async (input, init) => {
    const { pathname } = new URL(String(input));
    if (pathname.endsWith('sync/events')) throw new TypeError('no stream here');
    const answer = await fetch(input, init);
    if (pathname.endsWith('sync/pull')) await onAnswer();
    return answer;
  };
  const phone = await device({
    url: server.url,
    token,
    storage,
    fetch: fetchLate,
    clock: { schedule: () => () => {} },
  });
  const { map_id } = await phone.createMap({ name: 'Saw' });
  await phone.sync();

  const { body } = await rest.send<{ run: { id: number } }>('POST', `/maps/${map_id}/recording`, { steps });
  onAnswer = async () => {
    onAnswer = async () => {};
    await rest.send('POST', `/runs/${body.run.id}/delete`, {});
    const other = await otherTab();
    await storePullTo(other, await pullNewestCursor(token));
    await other.close();
  };
  await phone.sync();
  expect(await current(phone.status$)).toMatchObject({ phase: 'waiting', error: null });
  await phone.sync();
  expect(await atRest(phone)).toMatchObject({ phase: 'idle', error: null });
  expect(await current(phone.runs$(map_id))).toEqual([]);
});
