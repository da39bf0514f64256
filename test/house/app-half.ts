/**
 * Chooses which half of the tests of the app in a real browser `npm run verify` runs, since all of them take longer than CI has.
 * The commit decides, so that a commit is always judged alike, and another one by the other half about every second time.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

export const appHalves = ['first', 'second'] as const;
export type AppHalf = (typeof appHalves)[number];

const folder = 'test/browser/app';

/** Parts of paths that are in both halves: each screen once, the main job, and what the app weighs. */
const inBothHalves = ['/every-screen/', '/record-and-sync.test.ts', '/size-of-the-build.test.ts'];

/** The half of a commit, by the last digit of its hash; the first half outside of a repository. */
export function halfOfCommit(root: string): AppHalf {
  try {
    return halfOf(execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim());
  } catch {
    return 'first';
  }
}

export const halfOf = (hash: string): AppHalf => appHalves[Number.parseInt(hash.slice(-1), 16) % 2]!;

/** Returns the files of the app's tests, by their paths from the root. */
export function appTestFiles(root: string): string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.test.ts')).map((name) => `${folder}/${name.replaceAll('\\', '/')}`);
}

/** Returns the files that a half leaves out. The halves take turns through the sorted paths, so that each folder is in both. */
export function filesLeftOut(files: readonly string[], half: AppHalf): string[] {
  const halved = files.filter((file) => !inBothHalves.some((part) => file.includes(part))).toSorted();
  return halved.filter((_, index) => appHalves[index % 2] !== half);
}
