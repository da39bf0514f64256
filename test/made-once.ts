/**
 * Makes slow artefacts once for a whole test run: the first process that asks makes them in the folder of the run. As
 * vitest's `globalSetup` this file makes that folder.
 */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestProject } from 'vitest/node';

const variable = 'GEMBA_TEST_FOLDER';
const pollMs = 50;

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'gemba-test-'));
  project.onTestsRerun(async () => {
    await rm(folder, { recursive: true });
    await mkdir(folder);
  });
  process.env[variable] = folder;
  // A browser that ends with its worker may still write.
  return () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Makes the artefacts of a program that is no test run in a folder that the program removes. */
export function makeArtefactsIn(folder: string): void {
  process.env[variable] = folder;
}

/** The folder that `make` has filled; undefined outside a test run. */
export async function makeOnce(name: string, make: (folder: string) => Promise<void>): Promise<string | undefined> {
  const run = process.env[variable];
  if (!run) return undefined;
  const [made, making, failure] = [join(run, name), join(run, `${name}.making`), join(run, `${name}.failure`)];
  if (await takesLockFirst(join(run, `${name}.lock`))) {
    await mkdir(making);
    await make(making).then(
      () => rename(making, made),
      (error: unknown) => writeFile(failure, String(error)),
    );
  }
  while (!existsSync(made)) {
    if (existsSync(failure)) throw new Error(await readFile(failure, 'utf8'));
    await sleep(pollMs);
  }
  return made;
}

/** Makes a folder that the end of the test run removes. */
export async function makeFolderOfRun(prefix: string): Promise<string> {
  return mkdtemp(join(process.env[variable] ?? tmpdir(), prefix));
}

const takesLockFirst = (lock: string): Promise<boolean> =>
  mkdir(lock).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
