import { expect, onTestFinished, test } from 'vitest';
import { deviceMadeIdMin } from '../../../shared/schema/limits.ts';
import type { StoreUnderTest } from './store-under-test.ts';
import { mapDoc, newAccount, write } from './records.ts';

export function restoreStoreContract({ newDatabase }: StoreUnderTest): void {
  test('[BACKUP-8] with a new epoch each account goes on at versions that it never had', async () => {
    const database = await newDatabase();
    onTestFinished(database.remove);
    const opened = await database.open();
    const accountId = await newAccount(opened);
    const versionNow = async () => (await opened.account(accountId))!.version;
    // A restore may take this many versions away.
    let neverAbove = 1_000_000_000;
    for (let count = 0; count < 2; count++) {
      await opened.renewEpoch();
      expect(await versionNow()).toBeGreaterThan(neverAbove);
      neverAbove = await versionNow();
    }
    const map = mapDoc(1);
    await write(opened, accountId, (next) => ({ maps: [{ ...map, version: next() }] }));
    const { changes } = await opened.changes(accountId, { after: neverAbove, limit: 10, kinds: ['map'] });
    expect(changes).toMatchObject([{ id: map.id, version: neverAbove + 1 }]);
    await opened.close();
  });

  test('[STORE-64] with a new epoch each account goes on at ids that it never gave, and keeps half of its last ones', async () => {
    const database = await newDatabase();
    onTestFinished(database.remove);
    const opened = await database.open();
    onTestFinished(() => opened.close());
    const nextIds = [2 ** 30, ...[3_000_000, 1_999_999, 11, 2, 1, 0].map((left) => deviceMadeIdMin - left)];
    const accountIds: string[] = [];
    for (const next_id of [1, ...nextIds]) {
      const accountId = await newAccount(opened);
      await write(opened, accountId, () => ({ next_id }));
      accountIds.push(accountId);
    }
    const secsSince2026 = (Date.now() - Date.parse('2026-01-01T00:00:00Z')) / 1_000;
    await opened.renewEpoch();
    const [first, ...others] = await Promise.all(accountIds.map(async (id) => (await opened.account(id))!.next_id));
    expect(first).toBeGreaterThan(Math.max(1_000_000, secsSince2026 - 60));
    expect(others.map((nextId, index) => nextId - nextIds[index]!)).toEqual([
      1_000_000, 1_000_000, 1_000_000, 6, 1, 1, 0,
    ]);
  });
}
