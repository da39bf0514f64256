import { afterEach, beforeEach, expect, test } from 'vitest';
import { comparisonReply } from './comparison.ts';
import { createAccount } from '../auth/new-account.ts';
import type { World } from '../core/world.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { temporaryFolder } from '../../test/contract/fixture.ts';
import { mapDoc, runRow, write } from '../../test/contract/store/records.ts';

const world: World = { now: Date.now, randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)) };

let folder: ReturnType<typeof temporaryFolder>;
let store: Store;
beforeEach(async () => {
  folder = temporaryFolder();
  store = await openSqliteStore(folder);
});
afterEach(async () => {
  await store.close();
  folder.remove();
});

/** A store that lists the methods that are called. */
function watched(calls: string[]): Store {
  return new Proxy(store, {
    get(target, name: keyof Store) {
      calls.push(name);
      return target[name];
    },
  });
}

test('[RUN-17] a comparison of 50 runs of 50 maps reads the runs at once and the maps at once, and more only beyond a MiB', async () => {
  const { account } = await createAccount({ store, world }, { name: 'A', plan: 'team' });
  const maps = Array.from({ length: 50 }, () => mapDoc(0));
  const ids = maps.map((_, index) => index + 1);
  const writeRuns = (bytes: number, firstId: number) =>
    write(store, account.id, (next) => ({
      maps: maps.map((map) => ({ ...map, version: next() })),
      runs: maps.map(({ id: mapId }, index) => ({
        ...runRow(next(), { mapId, number: firstId + index, id: firstId + index }),
        bytes,
      })),
    }));
  await writeRuns(1_000, 1);
  await writeRuns(600 * 1024, 101);

  const calls: string[] = [];
  const run_ids = ids.toReversed();
  const reply = await comparisonReply(watched(calls), account.id, { run_ids });
  expect(reply).toMatchObject({ ok: true, response: { body: { runs: run_ids.map((id) => ({ id })) } } });
  expect(calls).toEqual(['runsByIds', 'mapsByIds']);

  calls.length = 0;
  await comparisonReply(watched(calls), account.id, { run_ids: ids.map((id) => id + 100) });
  expect(calls.filter((name) => name === 'runsByIds')).toHaveLength(25);

  calls.length = 0;
  const missing = await comparisonReply(watched(calls), account.id, { run_ids: [1, 99, 2] });
  expect(missing).toMatchObject({ ok: false, error: { code: 'run_not_found', members: { missing: [99] } } });
  expect(calls).toEqual(['runsByIds']);
});
