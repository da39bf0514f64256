/** Folders and faults for tests of the journal. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Mirror } from '../../client/client.ts';

/** A new folder that is removed when the test ends. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gemba-mirror-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A journal whose writes fail while it is broken. */
export function breakableJournal(mirror: Mirror): Mirror & { isBroken: boolean } {
  const unlessBroken = (work: () => Promise<void>) => (it.isBroken ? Promise.reject(new Error('no room')) : work());
  const it = {
    ...mirror,
    isBroken: false,
    write: (changes: Parameters<Mirror['write']>[0]) => unlessBroken(() => mirror.write(changes)),
    exchange: (decide: Parameters<Mirror['exchange']>[0]) => unlessBroken(() => mirror.exchange(decide)),
  };
  return it;
}
