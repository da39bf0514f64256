import { expect, test } from 'vitest';
import { mapDoc, newAccount, runRow, write } from '../store/records.ts';
import type { StoreUnderTest } from '../store/store-under-test.ts';

export function snapshotStoreContract({ store }: StoreUnderTest): void {
  /** Three runs of two maps, and one that is deleted. */
  const accountWithRuns = async () => {
    const accountId = await newAccount(store());
    const [first, second] = [mapDoc(0, { name: 'First' }), mapDoc(0, { name: 'Second' })];
    await write(store(), accountId, (next) => ({
      maps: [first, second].map((map) => ({ ...map, version: next() })),
      runs: [
        runRow(next(), { mapId: first.id, number: 1, id: 11 }),
        runRow(next(), { mapId: second.id, number: 1, id: 12 }),
        runRow(next(), { mapId: first.id, number: 2, id: 13 }),
        { ...runRow(next(), { mapId: first.id, number: 3, id: 14 }), doc: null },
      ],
    }));
    return { accountId, first, second };
  };
  const idsOf = (runs: { id: number }[]): number[] => runs.map(({ id }) => id);

  test('[EXPORT-1] a snapshot lists undeleted runs in pages, of the account and of a map', async () => {
    const { accountId, first } = await accountWithRuns();
    await store().withRunSnapshot(accountId, async (snapshot) => {
      const page = await snapshot.runsOfAccount({ limit: 2 });
      expect(idsOf(page)).toEqual([11, 12]);
      expect(idsOf(await snapshot.runsOfAccount({ after: page[1]!, limit: 2 }))).toEqual([13]);
      expect(idsOf(await snapshot.runsOfMap({ mapId: first.id, limit: 1 }))).toEqual([11]);
      expect(idsOf(await snapshot.runsOfMap({ mapId: first.id, after: 1, limit: 5 }))).toEqual([13]);
      expect(await snapshot.runsOfMap({ mapId: 'none', limit: 5 })).toEqual([]);
      expect(idsOf(await snapshot.summaries([14, 12, 99])).toSorted()).toEqual([12]);
      const [run] = await snapshot.load([12]);
      expect(run!.mapName).toBe('Second');
      expect(run!.run).toEqual(await store().run(accountId, 12));
      const { started_at, created_at, step_count } = run!.run;
      expect(page[1]).toMatchObject({ number: 1, started_at, created_at, step_count, isMapDeleted: false });
    });
  });

  test('[EXPORT-1] a snapshot has the runs of its account alone', async () => {
    const { accountId, first } = await accountWithRuns();
    const other = await newAccount(store());
    await store().withRunSnapshot(other, async (snapshot) => {
      expect(await snapshot.runsOfAccount({ limit: 9 })).toEqual([]);
      expect(await snapshot.runsOfMap({ mapId: first.id, limit: 9 })).toEqual([]);
      expect(await snapshot.summaries([11])).toEqual([]);
      expect(await snapshot.load([11])).toEqual([]);
    });
    expect(await store().run(accountId, 11)).toBeDefined();
  });

  test('[EXPORT-6] a snapshot stays at one version while others write', async () => {
    const { accountId, first, second } = await accountWithRuns();
    await store().withRunSnapshot(accountId, async (snapshot) => {
      const before = await snapshot.runsOfAccount({ limit: 9 });
      const loaded = await snapshot.load(idsOf(before));
      await write(store(), accountId, (next) => ({
        maps: [
          { ...first, name: 'Renamed', version: next() },
          { ...second, deleted: true, version: next() },
        ],
        runs: [
          { ...runRow(next(), { mapId: first.id, number: 1, id: 11 }), doc: null },
          runRow(next(), { mapId: first.id, number: 4, id: 15 }),
        ],
      }));
      expect(await store().run(accountId, 11)).toBeUndefined();
      expect(await snapshot.runsOfAccount({ limit: 9 })).toEqual(before);
      expect(await snapshot.load(idsOf(before))).toEqual(loaded);
    });
    await store().withRunSnapshot(accountId, async (snapshot) => {
      const runs = await snapshot.runsOfAccount({ limit: 9 });
      expect(runs.map(({ id, isMapDeleted }) => [id, isMapDeleted])).toEqual([
        [12, true],
        [13, false],
        [15, false],
      ]);
    });
  });

  test('[EXPORT-8] work that fails ends its snapshot', async () => {
    const { accountId } = await accountWithRuns();
    for (let failures = 0; failures < 20; failures += 1) {
      const failed = store().withRunSnapshot(accountId, async () => Promise.reject(new Error('the work failed')));
      await expect(failed).rejects.toThrow('the work failed');
    }
    expect(await store().withRunSnapshot(accountId, async () => 'done')).toBe('done');
  });
}
