import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { MapDoc } from '../../../shared/schema/map.ts';
import type { Page } from '../../../server/store/page.ts';
import type { MapQuery } from '../../../server/store/queries.ts';
import type { StoreUnderTest } from './store-under-test.ts';
import { mapDoc, newAccount, runRow, write } from './records.ts';

export function readStoreContract({ store }: StoreUnderTest): void {
  test('[STORE-7] ids up to 2^53-1, any text and any number come back as they went in', async () => {
    const accountId = await newAccount(store());
    const id = 2 ** 53 - 1;
    const text = 'Gieß\u2028\u007f\\"\'\n\t\u202e漢字😀 ' + String.fromCodePoint(0x10ffff);
    const numbers = [0.1 + 0.2, 1e-7, 1_000_000, 31_536_000, 1 / 3, 5e-324];
    const base = mapDoc(1, { name: text, industry: text, description: text });
    const map = {
      ...base,
      stages: numbers.map((cycle_time_hrs, index) => ({ ...base.stages[0]!, id: id - index, cycle_time_hrs })),
    };
    const row = runRow(2, { mapId: map.id, number: 2 ** 31 - 1, id, stage_ids: [id, id - 1], map_then: base });
    await write(
      store(),
      accountId,
      (next) => ({
        maps: [{ ...map, version: next() }],
        runs: [{ ...row, version: next() }],
        takenStageIds: [{ map_id: map.id, id }],
      }),
      {},
    );
    expect(await store().map(accountId, map.id)).toEqual(map);
    expect(await store().run(accountId, id)).toEqual(row.doc);
    expect(await store().run(accountId, 5)).toBeUndefined();
    await write(
      store(),
      accountId,
      (_, loaded) => {
        expect(loaded.runs).toEqual([]);
        expect(loaded.runsWithSteps).toEqual([row]);
        expect(loaded.takenStageIds).toEqual([{ map_id: map.id, id }]);
        return {};
      },
      // Looks the run up by its session, since a run that is looked up by id comes without its steps.
      { recordingSessionIds: [row.recording_session_id], deviceMadeStageIds: [{ map_id: map.id, id }] },
    );
  });

  test('[STORE-8] [STORE-44] lists of maps: newest first by creation, filtered, without stages, deleted ones apart', async () => {
    const accountId = await newAccount(store());
    const fields = [
      {},
      { industry: 'Food' },
      { state: 'future' as const },
      { archived: true },
      { deleted: true, deleted_at: '2026-04-01T10:00:00.000Z' },
    ];
    const ids: string[] = [];
    for (const one of fields) {
      const doc = mapDoc(0, one);
      ids.push(doc.id);
      await write(store(), accountId, (next) => ({ maps: [{ ...doc, version: next() }] }));
    }
    // Changing a map keeps its position in the list.
    await write(store(), accountId, (next, { maps }) => ({ maps: maps.map((map) => ({ ...map, version: next() })) }), {
      mapIds: [ids[0]!],
    });
    const listed = async (query: Partial<MapQuery>) =>
      (await store().maps(accountId, { deleted: false, limit: 10, ...query })).rows.map(({ id }) => ids.indexOf(id));
    expect(await listed({})).toEqual([3, 2, 1, 0]);
    expect(await listed({ deleted: true })).toEqual([4]);
    expect(await listed({ industry: 'Food' })).toEqual([1]);
    expect(await listed({ state: 'future' })).toEqual([2]);
    expect(await listed({ archived: true })).toEqual([3]);
    expect(await listed({ archived: false, state: 'current', industry: 'Steel' })).toEqual([0]);
    const [first] = (await store().maps(accountId, { deleted: false, limit: 1 })).rows;
    expect(first).not.toHaveProperty('stages');
    expect(first).toMatchObject({ name: 'Assembly', version: 4, created_version: 4 });
  });

  test('[STORE-9] a page walk neither skips nor repeats what was there throughout, whatever is written meanwhile', async () => {
    const accountId = await newAccount(store());
    const mapId = randomUUID();
    const ids: string[] = Array.from({ length: 7 }, () => randomUUID());
    for (const [index, id] of ids.entries()) {
      await write(store(), accountId, (next) => ({
        maps: [mapDoc(next(), { id })],
        runs: [runRow(next(), { mapId, number: index + 1 })],
      }));
    }
    let number = ids.length;
    /** After each page the oldest map changes, a new map and a new run arrive, and a run is deleted. */
    const disturb = () =>
      write(
        store(),
        accountId,
        (next, { maps, runs }) => ({
          maps: [...maps.map((map) => ({ ...map, version: next() })), mapDoc(next())],
          runs: [
            ...runs.filter(({ id }) => id === 4).map((row) => ({ ...row, version: next(), doc: null })),
            runRow(next(), { mapId, number: ++number }),
          ],
        }),
        { mapIds: [ids[0]!], runIds: [4] },
      );
    const walk = async <Row>(read: (before: { before?: number }) => Promise<Page<Row>>) => {
      const rows: Row[] = [];
      for (let before: number | null | undefined; before !== null; await disturb()) {
        const page = await read(before === undefined ? {} : { before });
        rows.push(...page.rows);
        before = page.next;
      }
      return rows;
    };
    const maps = await walk((before) => store().maps(accountId, { deleted: false, limit: 2, ...before }));
    expect(maps.map(({ id }) => ids.indexOf(id))).toEqual([6, 5, 4, 3, 2, 1, 0]);
    const newest = number;
    const runs = await walk((before) => store().runs(accountId, { mapId, limit: 3, ...before }));
    const expected = Array.from({ length: newest }, (_, index) => newest - index).filter((each) => each !== 4);
    expect(runs.map((run) => run.number)).toEqual(expected);
    expect(runs[0]).not.toHaveProperty('steps');
  });

  test('[RUN-17] runs and maps are read by their ids in pages of a size, each at least one record', async () => {
    const [accountId, other] = [await newAccount(store()), await newAccount(store())];
    const maps = Array.from({ length: 5 }, () => mapDoc(0)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const mapId = maps[0]!.id;
    const runs = [2 ** 53 - 1, 30, 20, 10, 5].map((id, index) => ({
      ...runRow(0, { mapId, number: index + 1, id }),
      bytes: 100,
    }));
    await write(store(), accountId, (next) => ({
      maps: maps.map((map) => ({ ...map, version: next() })),
      runs: runs.map((run) => ({ ...run, version: next(), ...(run.id === 20 ? { doc: null } : {}) })),
    }));
    await write(store(), other, (next) => ({ runs: [{ ...runRow(next(), { mapId, number: 1, id: 7 }), bytes: 100 }] }));
    const ids = [...runs.map(({ id }) => id), 7, 99];
    const page = async (query: { after?: number; bytesMax: number }) => {
      const { rows, next } = await store().runsByIds(accountId, { ids, ...query });
      return { ids: rows.map(({ id }) => id), next };
    };
    expect(await page({ bytesMax: 1_000 })).toEqual({ ids: [5, 10, 30, 2 ** 53 - 1], next: null });
    expect(await page({ bytesMax: 150 })).toEqual({ ids: [5, 10], next: 10 });
    expect(await page({ after: 10, bytesMax: 1 })).toEqual({ ids: [30], next: 30 });
    expect(await page({ after: 30, bytesMax: 1 })).toEqual({ ids: [2 ** 53 - 1], next: null });
    expect(await store().runsByIds(accountId, { ids: [], bytesMax: 1 })).toEqual({ rows: [], next: null });
    const [whole] = (await store().runsByIds(accountId, { ids: [10], bytesMax: 1 })).rows;
    expect(whole).toEqual(await store().run(accountId, 10));

    const mapIds = [...maps.map(({ id }) => id).toReversed(), randomUUID(), 'no-uuid'];
    const all = await store().mapsByIds(accountId, { ids: mapIds, bytesMax: 1024 * 1024 });
    expect(all).toEqual({ rows: await Promise.all(maps.map(({ id }) => store().map(accountId, id))), next: null });
    const walked: string[] = [];
    let next: string | null = null;
    do {
      const query = { ids: mapIds, bytesMax: 1, ...(next === null ? {} : { after: next }) };
      const one: Page<MapDoc, string> = await store().mapsByIds(accountId, query);
      walked.push(...one.rows.map(({ id }) => id));
      next = one.next;
    } while (next !== null);
    expect(walked).toEqual(maps.map(({ id }) => id));
    expect(await store().mapsByIds(other, { ids: mapIds, bytesMax: 1 })).toEqual({ rows: [], next: null });
  });

  test('[STORE-10] an account sees nothing of another, whatever ids it names', async () => {
    const [mine, theirs] = [await newAccount(store()), await newAccount(store())];
    const clientId = randomUUID();
    const map = mapDoc(1);
    const run = runRow(2, { mapId: map.id, number: 1 });
    await write(store(), theirs, (next) => ({
      maps: [{ ...map, version: next() }],
      runs: [{ ...run, version: next() }],
      clients: [
        {
          client_id: clientId,
          version: next(),
          last_seq: 1,
          acked_seq: 0,
          device_id: null,
          seen_at: null,
          chain: '',
          rejectedSeqs: [],
          newRejections: [],
        },
      ],
      pushAnswers: [{ client_id: clientId, answers: [{ seq: 1, status: 'applied' }] }],
      takenStageIds: [{ map_id: map.id, id: 1 }],
    }));
    expect(await store().map(mine, map.id)).toBeUndefined();
    expect(await store().run(mine, run.id)).toBeUndefined();
    expect(await store().maps(mine, { deleted: false, limit: 5 })).toEqual({ rows: [], next: null });
    expect(await store().runs(mine, { mapId: map.id, limit: 5 })).toEqual({ rows: [], next: null });
    expect(await store().pushAnswers(mine, { clientId, from: 1, to: 9 })).toEqual([]);
    const { changes } = await store().changes(mine, { after: 0, limit: 9, kinds: ['map', 'run'], clientId });
    expect(changes).toEqual([]);
    const readSet = {
      mapIds: [map.id],
      runIds: [run.id],
      runIdsToChange: [],
      runIdsToDelete: [run.id],
      recordingSessionIds: [run.recording_session_id],
      deviceMadeStageIds: [{ map_id: map.id, id: 1 }],
      clientIds: [clientId],
      mutationDigests: ['d'],
      idempotencyKeys: [],
      tokenHashes: [],
    };
    await store().transact(mine, readSet, ({ account: _, ...loaded }) => {
      expect(Object.values(loaded).flat()).toEqual([]);
      return { result: undefined };
    });
    // Both accounts may use the same ids, except for recording sessions.
    await write(store(), mine, (next) => ({ maps: [{ ...map, version: next(), name: 'Mine' }] }));
    expect(await store().map(theirs, map.id)).toEqual(map);
  });

  test('[STORE-11] an id that is no UUID is an id that nothing has', async () => {
    const accountId = await newAccount(store());
    expect(await store().account('no-uuid')).toBeUndefined();
    expect(await store().token({ accountId: 'no-uuid', tokenHash: 'x' })).toBeUndefined();
    expect(await store().map(accountId, 'no-uuid')).toBeUndefined();
    expect(await store().runs(accountId, { mapId: 'no-uuid', limit: 5 })).toEqual({ rows: [], next: null });
    await write(
      store(),
      accountId,
      (_, loaded) => {
        expect(loaded).toMatchObject({ maps: [], takenStageIds: [] });
        return {};
      },
      { mapIds: ['no-uuid'], deviceMadeStageIds: [{ map_id: 'no-uuid', id: 1 }] },
    );
  });
}
