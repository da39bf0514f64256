import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../test/contract/fixture.ts';
import { newAccount, runRow, write } from '../../test/contract/store/records.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { listFilteredRuns } from './run-list.ts';

const mapId = '018f9e4a-2b6c-7d31-8a55-3c1f0e9d7b42';

test('[REST-90] a page of filtered runs ends after 20,000 runs are read, and its position leads on to the next match', async () => {
  const folder = temporaryFolder();
  const store = await openSqliteStore(folder);
  onTestFinished(async () => {
    await store.close();
    folder.remove();
  });
  const accountId = await newAccount(store);
  const numbers = Array.from({ length: 20_010 }, (_, index) => index + 1);
  const isTagged = (number: number) => [3, 7, 20_009].includes(number);
  await write(store, accountId, (next) => ({
    runs: numbers.map((number) => {
      const row = runRow(next(), { mapId, number });
      return isTagged(number) && row.doc ? { ...row, doc: { ...row.doc, tags: ['Night'] } } : row;
    }),
  }));
  const page = async (limit: number, before?: number) => {
    const filter = { tag: 'night' };
    const { rows, next } = await listFilteredRuns(store, accountId, {
      mapId,
      filter,
      limit,
      ...(before && { before }),
    });
    return { numbers: rows.map(({ number }) => number), next };
  };
  expect(await page(2)).toEqual({ numbers: [20_009], next: 11 });
  expect(await page(2, 11)).toEqual({ numbers: [7, 3], next: null });
  expect(await page(1)).toEqual({ numbers: [20_009], next: 11 });
  expect(await page(1, 11)).toEqual({ numbers: [7], next: 7 });
  expect(await page(1, 7)).toEqual({ numbers: [3], next: null });
  const unfiltered = await listFilteredRuns(store, accountId, { mapId, filter: {}, limit: 2 });
  expect(unfiltered.rows.map(({ number }) => number)).toEqual([20_010, 20_009]);
  expect(unfiltered.next).toBe(20_009);
});
