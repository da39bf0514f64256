import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../server/store/sqlite/database.ts';
import { StoreUnavailable } from '../../../server/store/store.ts';
import { openSqliteStore } from '../../../server/store/sqlite/sqlite-store.ts';
import { childCommand, createFolderWithAccount, runCommand } from './processes/child.ts';
import { isStraceInstalled } from './power/strace.ts';
import { readTrace, straceOptions, type TracedAck } from './wal-trace.ts';

const commits = 40;

async function traceCommits(synchronous: string): Promise<TracedAck[]> {
  const folder = await createFolderWithAccount();
  onTestFinished(folder.remove);
  const output = join(folder.dataDir, 'trace');
  await runCommand(['strace', ...straceOptions, '-o', output, ...childCommand(folder, commits, synchronous)]);
  return readTrace(readFileSync(output, 'utf8'));
}

describe.skipIf(!isStraceInstalled())('under strace', () => {
  test('[STORE-25] no commit to SQLite is acknowledged before the log is synced', async () => {
    expect(await traceCommits('FULL')).toEqual(
      Array.from({ length: commits }, () => ({ written: true, synced: true })),
    );
  });

  test('[STORE-25] and a store that does not sync is caught', async () => {
    const acks = await traceCommits('NORMAL');
    expect(acks).toHaveLength(commits);
    expect(acks.filter(({ written, synced }) => written && !synced).length).toBeGreaterThan(commits / 2);
  });
});

test('[STORE-61] a closed store has all commits in its file, and nothing in its log', async () => {
  const { dataDir, accountId, remove } = await createFolderWithAccount();
  onTestFinished(remove);
  const log = join(dataDir, 'gemba.db-wal');
  expect(existsSync(log) ? statSync(log).size : 0).toBe(0);
  const copyDir = join(dataDir, 'copy');
  mkdirSync(copyDir);
  copyFileSync(join(dataDir, 'gemba.db'), join(copyDir, 'gemba.db'));
  const copy = await openSqliteStore({ dataDir: copyDir });
  expect(await copy.account(accountId)).toBeDefined();
  await copy.close();
});

test('[STORE-61] a store closes while another connection has the write lock, which goes on', async () => {
  const { dataDir, accountId, remove } = await createFolderWithAccount();
  onTestFinished(remove);
  const store = await openSqliteStore({ dataDir });
  const other = await openDatabase(join(dataDir, 'gemba.db'), { busyMsMax: 0, synchronous: 'FULL' });
  other.run('BEGIN IMMEDIATE');
  other.run("UPDATE accounts SET name = 'Renamed' WHERE account_id = ?", accountId);
  await store.close();
  other.run('COMMIT');
  other.close();
  const again = await openSqliteStore({ dataDir });
  expect(await again.account(accountId)).toMatchObject({ name: 'Renamed' });
  await again.close();
});

test('[STORE-63] a closed store refuses a write as unavailable', async () => {
  const { dataDir, remove } = await createFolderWithAccount();
  onTestFinished(remove);
  const store = await openSqliteStore({ dataDir });
  const before = await store.epoch();
  await store.close();
  await expect(store.renewEpoch()).rejects.toThrow(StoreUnavailable);
  const again = await openSqliteStore({ dataDir });
  expect(await again.epoch()).toBe(before);
  await again.close();
});
