import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../../server/store/sqlite/database.ts';
import { openSqliteStore } from '../../../../server/store/sqlite/sqlite-store.ts';
import { StoreUnavailable, type Store } from '../../../../server/store/store.ts';
import { programArgs } from '../../../programs.ts';
import { childCommand, createFolderWithAccount, runCommand, startCommand } from './child.ts';
import { mapDoc, write } from '../records.ts';

async function readMapVersions(store: Store, accountId: string): Promise<Set<string>> {
  const { changes } = await store.changes(accountId, { after: 0, limit: 100_000, kinds: ['map'] });
  return new Set(changes.map(({ version }) => `ack ${version}`));
}

test('[STORE-21] processes that open the same new files in the same moment migrate each once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gemba-sqlite-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const rounds = 100;
  const startsInMs = 2_500;
  const args = [
    ...programArgs('test/contract/store/processes/sqlite-opener'),
    folder,
    String(rounds),
    String(Date.now() + startsInMs),
    '30',
  ];
  const said = await Promise.all([1, 2, 3, 4].map(() => runCommand([process.execPath, ...args])));
  const epochs = said[0]!;
  expect(new Set(epochs).size).toBe(rounds);
  expect(said).toEqual(said.map(() => epochs));
});

test('[STORE-22] two processes on the same SQLite file lose nothing of each other', async () => {
  const folder = await createFolderWithAccount();
  onTestFinished(folder.remove);
  const acks = await Promise.all([1, 2].map(() => runCommand(childCommand(folder, 100))));
  const store = await openSqliteStore(folder);
  expect(acks.flat()).toHaveLength(200);
  expect(await readMapVersions(store, folder.accountId)).toEqual(new Set(acks.flat()));
  expect(await store.account(folder.accountId)).toMatchObject({ version: 200 });
  await store.close();
});

test('[STORE-23] what was acknowledged is there after kill -9', async () => {
  const folder = await createFolderWithAccount();
  onTestFinished(folder.remove);
  const child = startCommand(childCommand(folder, 1_000_000));
  const acks: string[] = [];
  for await (const line of createInterface({ input: child.stdout! })) {
    acks.push(line);
    if (acks.length === 60) child.kill('SIGKILL');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  const store = await openSqliteStore(folder);
  const there = await readMapVersions(store, folder.accountId);
  expect(acks.filter((ack) => !there.has(ack))).toEqual([]);
  await store.close();
});

test('[STORE-24] [STORE-50] a full disk is StoreUnavailable, and takes nothing that was acknowledged', async () => {
  const folder = await createFolderWithAccount();
  onTestFinished(folder.remove);
  // SQLite sees the limit on file size as a full disk.
  const limited = ['/bin/sh', '-c', 'ulimit -f 4000 && exec "$@"', 'limited', ...childCommand(folder, 100_000)];
  const said = await runCommand(limited);
  expect(said.at(-1)).toBe('refused StoreUnavailable');
  const store = await openSqliteStore(folder);
  expect(said.length).toBeGreaterThan(10);
  expect(await readMapVersions(store, folder.accountId)).toEqual(new Set(said.slice(0, -1)));
  await write(store, folder.accountId, (next) => ({ maps: [mapDoc(next())] }));
  await store.close();
});

test('[STORE-51] a write lock that is held for too long is StoreUnavailable, and the next commit goes through', async () => {
  const folder = await createFolderWithAccount();
  onTestFinished(folder.remove);
  const busyMsMax = 20;
  const store = await openSqliteStore({ ...folder, busyMsMax });
  const commit = () => write(store, folder.accountId, (next) => ({ maps: [mapDoc(next())] }));
  await commit();
  const other = await openDatabase(join(folder.dataDir, 'gemba.db'), { busyMsMax, synchronous: 'FULL' });
  other.exec('BEGIN IMMEDIATE');
  const outcomes = await Promise.allSettled([commit(), commit()]);
  expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason)).toEqual([
    expect.any(StoreUnavailable),
    expect.any(StoreUnavailable),
  ]);
  await expect(openSqliteStore({ ...folder, busyMsMax })).rejects.toThrow(StoreUnavailable);
  // The lock of another process does not hold up a reader.
  expect(await readMapVersions(store, folder.accountId)).toEqual(new Set(['ack 1']));
  other.exec('ROLLBACK');
  other.close();
  expect(await commit()).toBe(2);
  await store.close();
});
