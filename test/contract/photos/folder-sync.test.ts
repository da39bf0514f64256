import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { programArgs } from '../../programs.ts';
import { isStraceInstalled } from '../store/power/strace.ts';

const accountId = '0192a4c0-0000-7000-8000-000000000001';

/** Returns the paths that each step synced. */
function readSyncs(trace: string): Record<string, string[]> {
  const syncs: Record<string, string[]> = {};
  let step = 'start';
  for (const line of trace.split('\n')) {
    step = /write\(1.*"step ([\w ]+)/.exec(line)?.[1] ?? step;
    const path = /f(?:data)?sync\(\d+<([^>]*)>/.exec(line)?.[1];
    if (path !== undefined) (syncs[step] ??= []).push(path);
  }
  return syncs;
}

describe.skipIf(!isStraceInstalled())('under strace', () => {
  test('[PHOTO-77] each change of a folder is synced, whoever made the folder', () => {
    const root = mkdtempSync(join(tmpdir(), 'gemba-synced-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    const trace = join(root, 'trace');
    const folder = join(root, 'photos');
    const script = programArgs('test/contract/photos/sync-steps');
    const tracing = ['-f', '-y', '-s', '64', '-e', 'trace=write,fsync,fdatasync', '-o', trace];
    execFileSync('strace', [...tracing, process.execPath, ...script, folder, accountId]);
    const syncs = readSyncs(readFileSync(trace, 'utf8'));
    const accountFolder = join(folder, accountId);
    expect(syncs['append']).toEqual(expect.arrayContaining([accountFolder, folder, dirname(folder)]));
    expect(syncs['finish']).toContain(accountFolder);
    expect(syncs['finish again']).toContain(accountFolder);
    expect(syncs['remove']).toContain(accountFolder);
  });
});
