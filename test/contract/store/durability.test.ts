import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
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
