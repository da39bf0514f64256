import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createCommitQueue } from './commits.ts';
import { openDatabase } from './database.ts';

const hourMs = 3_600_000;

async function openQueue() {
  const folder = mkdtempSync(join(tmpdir(), 'gemba-commits-'));
  const database = await openDatabase(join(folder, 'gemba.db'), { busyMsMax: 1_000, synchronous: 'OFF' });
  database.exec('CREATE TABLE numbers (number INTEGER)');
  let commits = 0;
  const run: typeof database.run = (sql, ...values) => {
    if (sql === 'COMMIT') commits += 1;
    database.run(sql, ...values);
  };
  onTestFinished(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });
  const insert = (number: number) => () => database.run('INSERT INTO numbers VALUES (?)', number);
  let clockMs = hourMs;
  const queue = createCommitQueue({ ...database, run }, { monotonicMs: () => clockMs, backgroundDelayMsMax: hourMs });
  return { queue, insert, commits: () => commits, wait: (ms: number) => void (clockMs += ms) };
}

test('[HOOK-22] background work waits for the commit of a change, and shares it', async () => {
  const { queue, insert, commits } = await openQueue();
  await queue.commit(insert(1));
  const joined = [queue.commitInBackground(insert(2)), queue.commitInBackground(insert(3))];
  await new Promise(setImmediate);
  expect(commits()).toBe(1);
  await Promise.all([queue.commit(insert(4)), ...joined]);
  expect(commits()).toBe(2);
});

test('[HOOK-22] background work commits by itself where no change comes', async () => {
  const { queue, insert, commits, wait } = await openQueue();
  await queue.commitInBackground(insert(1));
  await queue.commit(insert(2));
  wait(hourMs + 1);
  await queue.commitInBackground(insert(3));
  expect(commits()).toBe(3);
});
