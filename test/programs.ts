/**
 * The programs that tests start in processes of their own, each bundled into one file: a bundle starts in a quarter of
 * the time that `tsx` takes, and tests start hundreds. As vitest's `globalSetup` this file makes the bundles.
 */
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bundlePrograms } from '../tools/bundle-programs.ts';

const programs = [
  'server/main',
  'server/cli/backup',
  'server/cli/restore',
  'test/scenario/recording/tapping-process',
  'test/demo/demo',
  'test/demo/stop-at',
  'test/contract/store/processes/sqlite-child',
  'test/contract/store/processes/sqlite-opener',
] as const;

export type Program = (typeof programs)[number];

const root = resolve(import.meta.dirname, '..');
const variable = 'GEMBA_TEST_PROGRAMS';

/** The arguments with which node runs a program; outside a test run `tsx` compiles it. */
export function programArgs(program: Program, preload: readonly Program[] = []): string[] {
  const folder = process.env[variable];
  const file = (path: Program) => (folder ? join(folder, `${path}.js`) : join(root, `${path}.ts`));
  return [
    ...(folder ? [] : ['--import', 'tsx']),
    ...preload.flatMap((path) => ['--import', file(path)]),
    file(program),
  ];
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'gemba-programs-'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await bundlePrograms(programs, { outDir: folder });
  project.onTestsRerun(() => bundlePrograms(programs, { outDir: folder }));
  process.env[variable] = folder;
  return () => rm(folder, { recursive: true, force: true });
}
