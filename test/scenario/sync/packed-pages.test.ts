/** Pages that a device pulls in the packed form, also where something on the way breaks them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { current, device, json, manualSync, network, type Network } from '../../device/devices.ts';
import { shownBy } from '../../device/shown-records.ts';
import { restClient, testServer, type TestServer } from '../../device/test-server.ts';

const packedType = 'application/vnd.gemba.packed+json;v=2';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.remove());

/** An account with a map and 30 runs. */
async function filledAccount(): Promise<string> {
  const token = await server.newAccount();
  const rest = restClient(server.url, token);
  const { id } = (await rest.send<{ id: string }>('POST', '/maps', { name: 'Saw' })).body;
  for (let run = 0; run < 30; run++) {
    const steps = [1, 2, 3].map((order) => ({ stage_name: `Step ${order}`, order, duration_secs: run + order / 8 }));
    await rest.send('POST', `/maps/${id}/recording`, { steps });
  }
  return token;
}

/** Notes the types of the pages, and the cursors after which they were asked for. */
function countingNetwork(change: (response: Response) => Response | Promise<Response> = (it) => it) {
  const net = network();
  const types: (string | null)[] = [];
  const cursors: (string | null)[] = [];
  net.answers('sync/pull', async (ask, { query }) => {
    const response = await change(await ask());
    cursors.push(query.get('cursor'));
    types.push(response.headers.get('Content-Type'));
    return response;
  });
  return { net, types, cursors };
}

const phoneOn = (net: Network, token: string, packedPages?: boolean) =>
  device({
    url: server.url,
    token,
    ...manualSync(net),
    ...(packedPages === undefined ? {} : { packedPages }),
  });

test('[PACKED-2] [PACKED-9] a device shows the same of packed pages as of plain ones, which it asks for by a `fetch` of its own', async () => {
  const token = await filledAccount();
  const packed = countingNetwork();
  const plain = countingNetwork();
  const [one, other] = [await phoneOn(packed.net, token, true), await phoneOn(plain.net, token)];
  await one.sync();
  await other.sync();
  expect([...new Set(packed.types)]).toEqual([packedType]);
  expect([...new Set(plain.types)]).toEqual(['application/json; charset=utf-8']);
  const shown = await shownBy(one);
  expect(shown).toEqual(await shownBy(other));
  expect(JSON.stringify(shown)).toContain('"total_time_secs":87.75');
});

test('[PACKED-6] [PACKED-8] a page that no packer made changes nothing, and the next pull asks for plain JSON', async () => {
  const token = await filledAccount();
  let isBroken = true;
  const { net, types, cursors } = countingNetwork(async (response) => {
    const page = (await response.clone().json()) as { changes: { packed?: number } };
    // The pull that asks for the account's id brings a single record, which is not packed.
    if (!isBroken || page.changes.packed === undefined) return response;
    isBroken = false;
    page.changes.packed += 1;
    const broken = json(page);
    broken.headers.set('Content-Type', packedType);
    return broken;
  });
  const phone = await phoneOn(net, token, true);
  await phone.sync();
  await phone.sync();
  expect(isBroken).toBe(false);
  const atBroken = types.lastIndexOf(packedType);
  expect(types[atBroken + 1]).toBe('application/json; charset=utf-8');
  expect(cursors.slice(atBroken, atBroken + 2)).toEqual(['', '']);
  expect(await current(phone.maps$)).toMatchObject([{ name: 'Saw', run_count: 30 }]);
});

test('[PACKED-8] after a 406 a device asks for plain JSON', async () => {
  const token = await filledAccount();
  const { net, types } = countingNetwork((response) =>
    response.headers.get('Content-Type') === packedType ? new Response('not here', { status: 406 }) : response,
  );
  const phone = await phoneOn(net, token, true);
  await phone.sync();
  await phone.sync();
  expect(types.at(-1)).toBe('application/json; charset=utf-8');
  expect(await current(phone.maps$)).toMatchObject([{ name: 'Saw', run_count: 30 }]);
});
