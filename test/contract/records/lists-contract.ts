import { expect, test } from 'vitest';
import { pairedDevice } from '../pairing.ts';
import { expectWrongFields, newApi, type Api, type GetServers } from '../fixture.ts';

interface Row {
  id: string | number;
}

/** Follows the `next` links of a list and calls `between` after each page. */
async function readAllPages(api: Api, start: string, between: (page: number) => Promise<unknown>): Promise<Row[]> {
  const rows: Row[] = [];
  let path: string | undefined = start;
  for (let page = 0; path !== undefined; page++) {
    expect(page).toBeLessThan(100);
    const { status, body, headers } = await api.get(path);
    expect(status).toBe(200);
    rows.push(...body.data);
    const link: string | null = headers.get('Link');
    path = link === null ? undefined : /^<(.+)>; rel="next"$/.exec(link)![1]!;
    expect(path === undefined).toBe(body.next_cursor === null);
    if (path) expect(new URLSearchParams(path.split('?')[1]).get('cursor')).toBe(body.next_cursor);
    await between(page);
  }
  return rows;
}

const ids = (rows: Row[]) => rows.map(({ id }) => id);

export function listsContract(servers: GetServers): void {
  test('[REST-57] a filter with a typo is refused and does not answer with everything', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    expectWrongFields(await api.get('/api/v1/maps?industy=Retail'), ['/industy']);
    for (const list of [`/api/v1/maps/${id}/stages`, `/api/v1/maps/${id}/runs`, '/api/v1/devices', '/api/v1/keys']) {
      expectWrongFields(await api.get(`${list}?limt=1`), ['/limt']);
    }
  });

  test('[REST-88] a query parameter of a route that has none is refused and changes nothing', async () => {
    const api = await newApi(servers().first);
    const map = await api.createMap();
    const path = `/api/v1/maps/${map.id}`;
    expectWrongFields(await api.get(`${path}?fields=name`), ['/fields']);
    expectWrongFields(await api.patch(`${path}?name=Other`, {}), ['/name']);
    expectWrongFields(await api.post(`${path}/delete?dry_run=true`), ['/dry_run']);
    expectWrongFields(await api.post('/api/v1/maps?name=Other', { name: 'Saw' }), ['/name']);
    expectWrongFields(await api.post('/api/v1/auth/pair?code=AAAA-AAAA', {}), ['/code']);
    const { data } = (await api.get('/api/v1/maps')).body;
    expect(data).toEqual([map]);
    expect((await api.get('/healthz?probe=1')).status).toBe(200);
    expect((await api.get('/api/v1/openapi.json?t=1')).status).toBe(200);
  });

  test('[REST-35] maps are listed newest first, without the deleted ones, by every filter', async () => {
    const api = await newApi(servers().first);
    const plain = await api.createMap();
    const retail = await api.createMap({ industry: 'Retail', state: 'future' });
    const archived = await api.createMap();
    await api.patch(`/api/v1/maps/${archived.id}`, { archived: true });
    const deleted = await api.createMap();
    await api.post(`/api/v1/maps/${deleted.id}/delete`);
    const listed = async (query: string) => ids((await api.get(`/api/v1/maps${query}`)).body.data);
    expect(await listed('')).toEqual([archived.id, retail.id, plain.id]);
    expect(await listed('?industry=Retail')).toEqual([retail.id]);
    expect(await listed('?state=current&archived=false')).toEqual([plain.id]);
    expect(await listed('?archived=true')).toEqual([archived.id]);
    expect(await listed('?deleted=true')).toEqual([deleted.id]);
  });

  test('[REST-89] the runs of a map are filtered by start, device, tag and exclusion, and a cursor keeps to its filter', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    const device = await pairedDevice(servers().first, api, { kind: 'phone' });
    const record = async (from: Api, started_at?: string) =>
      (await from.record(id, started_at === undefined ? {} : { started_at })).run;
    const midnight = await record(api, '2026-07-01T00:00:00.000Z');
    const noon = await record(device, '2026-07-01T12:00:00.000Z');
    const august = await record(device, '2026-08-01T00:00:00.000Z');
    const unsaid = await record(api);
    await api.patch(`/api/v1/runs/${noon.id}`, { tags: ['Early Shift', 'line 2'], excluded: { reason: 'Crane' } });
    await api.patch(`/api/v1/runs/${august.id}`, { tags: ['ÉQUIPE'] });
    const path = `/api/v1/maps/${id}/runs`;
    const listed = async (query: string) => ids((await api.get(`${path}?${query}`)).body.data);
    const july = 'from=2026-07-01T00:00:00Z&to=2026-08-01T00:00:00Z';
    expect(await listed(july)).toEqual([noon.id, midnight.id]);
    expect(await listed('from=2026-07-01T14:00:00%2B02:00&to=2026-07-01T12:00:00.001Z')).toEqual([noon.id]);
    expect(await listed('from=2026-07-01T12:00:00Z&to=2026-07-01T12:00:00Z')).toEqual([]);
    expect(await listed('from=2026-08-01T00:00:00Z')).toEqual([unsaid.id, august.id]);
    expect(await listed(`from=${unsaid.created_at}`)).toEqual([unsaid.id]);
    expect(await listed(`device_id=${noon.device_id}`)).toEqual([august.id, noon.id]);
    expect(await listed(`device_id=${noon.device_id.toUpperCase()}`)).toEqual([august.id, noon.id]);
    expect(await listed(`device_id=${id}`)).toEqual([]);
    expect(await listed('tag=%20early%20shift')).toEqual([noon.id]);
    expect(await listed(`tag=${encodeURIComponent('e\u0301quipe')}`)).toEqual([august.id]);
    expect(await listed('excluded=true')).toEqual([noon.id]);
    expect(await listed('excluded=false')).toEqual([unsaid.id, august.id, midnight.id]);
    expect(await listed(`${july}&excluded=false&limit=1`)).toEqual([midnight.id]);
    expect(await listed(`${july}&device_id=${noon.device_id}&tag=line%202&excluded=true`)).toEqual([noon.id]);

    const pages = await readAllPages(api, `${path}?${july}&limit=1`, () => record(api, '2026-07-02T00:00:00.000Z'));
    expect(ids(pages)).toEqual([noon.id, midnight.id]);
    const { next_cursor } = (await api.get(`${path}?excluded=false&limit=1`)).body;
    for (const other of ['excluded=true', 'tag=x', '']) {
      expectWrongFields(await api.get(`${path}?${other}&cursor=${next_cursor}`), ['/cursor']);
    }
  });

  test('[REST-36] wrong query parameters are named', async () => {
    const api = await newApi(servers().first);
    const wrong = '?limit=0&archived=yes&state=past&deleted=1&cursor=nonsense';
    expectWrongFields(await api.get(`/api/v1/maps${wrong}`), ['/limit', '/archived', '/state', '/deleted']);
    for (const limit of ['201', '-1', '1.5', 'x', '']) {
      expectWrongFields(await api.get(`/api/v1/maps?limit=${limit}`), ['/limit']);
    }
    expectWrongFields(await api.get('/api/v1/maps?state=current&state=future'), ['/state']);
    for (const cursor of ['nonsense', '', 'MQ']) {
      expectWrongFields(await api.get(`/api/v1/maps?cursor=${cursor}`), ['/cursor']);
    }
    const { id } = await api.createMap();
    const runs = `/api/v1/maps/${id}/runs`;
    expectWrongFields(await api.get(`${runs}?limit=x`), ['/limit']);
    const wrongFilters = 'from=yesterday&to=2026-07-01&device_id=watch&tag=%20&excluded=1';
    const filters = ['/from', '/to', '/device_id', '/tag', '/excluded'];
    expectWrongFields(await api.get(`${runs}?${wrongFilters}`), filters);
    for (const name of ['from', 'to', 'device_id', 'tag', 'excluded']) {
      expectWrongFields(await api.get(`${runs}?${name}=`), [`/${name}`]);
    }
    expectWrongFields(await api.get(`${runs}?from=2026-07-02T00:00:00Z&to=2026-07-01T00:00:00Z`), ['/to']);
    expectWrongFields(await api.get(`/api/v1/maps/${id}/stages?cursor=x`), ['/cursor']);
  });

  test('[REST-55] a number in a query has one spelling', async () => {
    const api = await newApi(servers().first);
    const pull = (limit: string) => api.get(`/api/v1/sync/pull?limit=${limit}`, { 'Gemba-Protocol': '1' });
    for (const odd of ['1e1', '5.0', '05', '%2B5', '0x5', '%205', '5%20', '5,', '1_0', 'Infinity', 'null', 'true']) {
      expectWrongFields(await api.get(`/api/v1/maps?limit=${odd}`), ['/limit']);
      expectWrongFields(await pull(odd), ['/limit']);
    }
    expectWrongFields(await api.get('/api/v1/maps?limit=5&limit=5'), ['/limit']);
    for (const odd of ['True', '1', 'null', '', '%20true']) {
      expectWrongFields(await api.get(`/api/v1/maps?archived=${odd}`), ['/archived']);
    }
    expect((await api.get('/api/v1/maps?limit=5&archived=true')).status).toBe(200);
    expect((await pull('10')).status).toBe(200);
  });

  test('[REST-37] a cursor belongs to its list and its filters', async () => {
    const api = await newApi(servers().first);
    for (let count = 0; count < 2; count++) await api.createMap({ state: 'future' });
    const { next_cursor } = (await api.get('/api/v1/maps?limit=1')).body;
    expect((await api.get(`/api/v1/maps?limit=5&cursor=${next_cursor}`)).body.data).toHaveLength(1);
    expectWrongFields(await api.get(`/api/v1/maps?state=future&cursor=${next_cursor}`), ['/cursor']);
  });

  test('[REST-38] a walk through maps and runs neither skips nor repeats what existed throughout', async () => {
    const api = await newApi(servers().first);
    const made: string[] = [];
    for (let count = 0; count < 7; count++) made.unshift((await api.createMap()).id);
    const doomed = await api.createMap();
    const maps = await readAllPages(api, '/api/v1/maps?limit=2', async (page) => {
      await api.createMap({ name: `Meanwhile ${page}` });
      await api.patch(`/api/v1/maps/${made[6]}`, { name: `Changed ${page}` });
      if (page === 0) await api.post(`/api/v1/maps/${doomed.id}/delete`);
    });
    expect(ids(maps).filter((id) => id !== doomed.id)).toEqual(made);

    const runs: number[] = [];
    for (let count = 0; count < 5; count++) runs.unshift((await api.record(made[0]!)).run.id);
    expect(ids(await readAllPages(api, `/api/v1/maps/${made[0]}/runs?limit=2`, () => api.record(made[0]!)))).toEqual(
      runs,
    );
  });

  test('[REST-39] a walk through stages neither skips nor repeats, however they are reordered meanwhile', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    const stages: number[] = [];
    for (let count = 0; count < 7; count++) stages.push((await api.createStage(id, `S${count}`)).id);
    const path = `/api/v1/maps/${id}/stages`;
    expect(ids((await api.get(path)).body.data)).toEqual(stages);
    const orders = [stages.toReversed(), [...stages.slice(3), ...stages.slice(0, 3)], stages, stages.toReversed()];
    const shown = await readAllPages(api, `${path}?limit=2`, (page) =>
      api.post(`${path}/reorder`, { stage_ids: orders[page % orders.length] }),
    );
    expect(ids(shown).toSorted()).toEqual(stages.toSorted());
  });

  test('[REST-40] [REST-84] a map of thousands of stages with ids of a device is walked to its end, while it is reordered and grows', async () => {
    const api = await newApi(servers().first);
    const map_id = crypto.randomUUID();
    const stage_ids = Array.from({ length: 4_000 }, (_, index) => 2 ** 52 + index * 4_000_000_007);
    const steps = (stageIds: number[]) =>
      stageIds.map((_, index) => ({ stage_name: 'S', order: index + 1, duration_secs: 1 }));
    const first = stage_ids.slice(0, 1_000);
    const recording = { map_id, name: 'Long', steps: steps(first), stage_ids: first };
    const added = stage_ids.slice(1_000).map((stage_id) => ['add_stage', { map_id, stage_id, stage: 'S' }] as const);
    const mutations = [['record_new_map', recording] as const, ...added].map(([name, args], index) => ({
      seq: index + 1,
      name,
      args,
      recorded_at: '2026-04-01T00:00:00Z',
    }));
    const push = { client_id: crypto.randomUUID(), acked_seq: 0, mutations };
    const pushed = await api.post('/api/v1/sync/push', push, { 'Gemba-Protocol': '1' });
    expect(pushed.body.results.every(({ status }: { status: string }) => status === 'applied')).toBe(true);
    const path = `/api/v1/maps/${map_id}/stages`;
    const shown = await readAllPages(api, `${path}?limit=200`, async (page) => {
      if (page % 5 === 1) await api.createStage(map_id, 'New');
      const stages = (await api.get(`/api/v1/maps/${map_id}`)).body.stages as Row[];
      if (page % 5 === 2) await api.post(`${path}/reorder`, { stage_ids: ids(stages.toReversed()) });
    });
    const { next_cursor } = (await api.get(`${path}?limit=200`)).body;
    expect(next_cursor.length).toBeLessThan(stage_ids.length);
    const old = ids(shown).filter((id) => stage_ids.includes(Number(id)));
    expect(new Set(ids(shown)).size).toBe(shown.length);
    expect(old.toSorted()).toEqual(stage_ids.toSorted());
  });

  test('[REST-51] a forged cursor is refused', async () => {
    const api = await newApi(servers().first);
    const { id } = await api.createMap();
    await api.record(id, { steps: [1, 2, 3].map((order) => ({ stage_name: 'S', order, duration_secs: 1 })) });
    await api.record(id);
    await api.createMap();
    await api.post('/api/v1/keys');
    for (const list of ['/api/v1/maps', `/api/v1/maps/${id}/runs`, '/api/v1/keys']) {
      const { next_cursor } = (await api.get(`${list}?limit=1`)).body;
      const [, mark] = Buffer.from(next_cursor, 'base64url').toString().split('.');
      for (const position of ['', 'abc', '-5', '0', '1e3', '1.5', '9'.repeat(20), 'AAA~', '\u0000']) {
        const forged = Buffer.from(`${position}.${mark}`).toString('base64url');
        expectWrongFields(await api.get(`${list}?cursor=${forged}`), ['/cursor']);
      }
    }
  });
}
