/** Pages that a device requests while the page before is still on its way. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BehaviorSubject } from 'rxjs';
import { protocol } from '../../contract/sync-client.ts';
import { current, device, eventually, manualSync, memoryStorage, network } from '../../device/devices.ts';
import { shownBy } from '../../device/shown-records.ts';
import { restClient, testServer, type TestServer } from '../../device/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

/** An account of four maps with a run each, which come in pages of two changes. */
async function accountOfPages(): Promise<string> {
  const token = await server.newAccount();
  const rest = restClient(server.url, token);
  for (const name of ['Drill', 'Mill', 'Press', 'Saw']) {
    const { id } = (await rest.send<{ id: string }>('POST', '/maps', { name })).body;
    await rest.send('POST', `/maps/${id}/recording`, { steps: [{ stage_name: 'Cut', order: 1, duration_secs: 1 }] });
  }
  return token;
}

interface PageRequest {
  cursor: string;
  signal: AbortSignal;
}

/** A network in which the pages of a pull are small. `onPage` may keep a page back. */
function smallPages(token: string, onPage: (page: Response, nth: number) => Promise<Response> | Response) {
  const net = network();
  const requests$ = new BehaviorSubject<PageRequest[]>([]);
  net.answers('sync/pull', async (ask, { query, signal }) => {
    if (!query.has('client_id')) return ask();
    query.set('limit', '2');
    requests$.next([...requests$.value, { cursor: query.get('cursor') ?? '', signal }]);
    const nth = requests$.value.length;
    const headers = { ...protocol, Authorization: `Bearer ${token}` };
    return onPage(await fetch(`${server.url}/api/v1/sync/pull?${query}`, { headers, signal }), nth);
  });
  const requested = (count: number) => eventually(requests$, ({ length }) => length >= count);
  const options = { url: server.url, token, packedPages: true, ...manualSync(net) };
  return { requested, requests: () => requests$.value, options };
}

/** The response with its headers now, and its body once `released`. */
function heldBody(response: Response, released: Promise<unknown>): Response {
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const bytes = new Uint8Array(await response.arrayBuffer());
      await released;
      controller.enqueue(bytes);
      controller.close();
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
}

test('[SYNC-102] [PULL-17] a page comes only after the next one was requested, and the device shows what another shows', async () => {
  const token = await accountOfPages();
  const pagesCount = 4;
  const { requested, requests, options } = smallPages(token, (page, nth) =>
    nth < pagesCount ? heldBody(page, requested(nth + 1)) : page,
  );
  const phone = await device(options);
  await phone.sync();
  expect(new Set(requests().map(({ cursor }) => cursor)).size).toBe(pagesCount);
  expect(requests()).toHaveLength(pagesCount);
  const other = await device({ url: server.url, token });
  await other.sync();
  const shown = await shownBy(phone);
  expect(shown).toEqual(await shownBy(other));
  expect(JSON.stringify(shown)).toContain('Saw');
});

test('[SYNC-112] a device has no time of its last sync while it holds a part of its first pull', async () => {
  const { options } = smallPages(await accountOfPages(), (page, nth) =>
    nth < 3 ? page : Promise.reject(new TypeError('cut')),
  );
  const phone = await device(options);
  await phone.sync();
  expect(JSON.stringify(await shownBy(phone))).toContain('Drill');
  expect(await current(phone.status$)).toMatchObject({ phase: 'offline', last_synced_at: null });
});

test('[SYNC-106] without the header, each page is requested after the page before', async () => {
  const token = await accountOfPages();
  let open = 0;
  let openMax = 0;
  const { requests, options } = smallPages(token, async (page) => {
    openMax = Math.max(openMax, ++open);
    const text = await page.text();
    open--;
    return new Response(text, { headers: { 'Content-Type': 'application/json' } });
  });
  const phone = await device(options);
  await phone.sync();
  expect(requests()).toHaveLength(4);
  expect(openMax).toBe(1);
  expect(JSON.stringify(await shownBy(phone))).toContain('Saw');
});

test('[SYNC-104] a page that was requested ahead is given up when the device closes', async () => {
  const { requested, options } = smallPages(await accountOfPages(), (page) => heldBody(page, new Promise(() => {})));
  const phone = await device(options);
  void phone.sync();
  const [, ahead] = await requested(2);
  await phone.close();
  expect(ahead!.signal.aborted).toBe(true);
});

test('[SYNC-104] a page that was requested ahead is given up when the page before cannot be written', async () => {
  const inner = memoryStorage();
  let isFull = false;
  const storage: typeof inner = {
    ...inner,
    createStorageInstance: async (params) => {
      const instance = await inner.createStorageInstance(params);
      const write = instance.bulkWrite.bind(instance);
      instance.bulkWrite = (rows, context) =>
        isFull && params.collectionName.startsWith('records')
          ? Promise.reject(new DOMException('no room', 'QuotaExceededError'))
          : write(rows, context);
      return instance;
    },
  };
  const { requested, options } = smallPages(await accountOfPages(), (page, nth) =>
    nth % 2 === 0 && isFull ? heldBody(page, new Promise(() => {})) : page,
  );
  const phone = await device({ ...options, storage });
  isFull = true;
  void phone.sync();
  const [, ahead] = await requested(2);
  await new Promise<void>((resolve) => ahead!.signal.addEventListener('abort', () => resolve(), { once: true }));
  isFull = false;
  await phone.sync();
  expect(JSON.stringify(await shownBy(phone))).toContain('Saw');
});

test('[SYNC-104] a page that was requested ahead is given up when the page before shows that the server was restored', async () => {
  const token = await accountOfPages();
  let isRestored = false;
  let before = Infinity;
  const { requested, requests, options } = smallPages(token, async (page, nth) => {
    if (!isRestored) return page;
    const body = { ...((await page.json()) as object), epoch: 'of the restored server' };
    const restored = new Response(JSON.stringify(body), { headers: page.headers });
    return nth === before + 1 ? heldBody(restored, requested(before + 2)) : restored;
  });
  const phone = await device(options);
  await phone.sync();
  before = requests().length;
  isRestored = true;
  for (const name of ['Lathe', 'Plane', 'Shear']) await restClient(server.url, token).send('POST', '/maps', { name });
  await phone.sync();
  const [first, ahead, fromStart] = requests().slice(before);
  expect(first!.cursor).not.toBe('');
  expect(ahead!.signal.aborted).toBe(true);
  expect(fromStart!.cursor).toBe('');
  const shown = JSON.stringify(await shownBy(phone));
  for (const name of ['Saw', 'Lathe', 'Shear']) expect(shown).toContain(name);
});
