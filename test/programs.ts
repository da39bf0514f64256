/**
 * The programs that tests start in processes of their own, each bundled into one file: a bundle starts in a quarter of
 * the time that `tsx` takes, and tests start hundreds. As vitest's `globalSetup` this file makes the bundles.
 */
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';

const programs = [
  'server/main',
  'server/cli/backup',
  'server/cli/restore',
  'server/cli/move',
  'server/cli/relay-keys',
  'carry/main',
  'test/scenario/recording/tapping-process',
  'test/soak/device-process',
  'test/demo/demo',
  'test/demo/stop-at',
  'test/contract/photos/sync-steps',
  'test/contract/store/online/step-server',
  'test/contract/store/processes/sqlite-child',
  'test/contract/store/processes/sqlite-opener',
] as const;

/** A load on demand ends when the file system says, so the simulation has none. */
const oneFileProgram = 'test/simulation/search/worker-process';

export type Program = (typeof programs)[number] | typeof oneFileProgram;

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
  const all = [...programs, oneFileProgram] as const;
  const folder = await makeBundles(all);
  project.onTestsRerun(() => writeBundles(all, folder));
  return () => rm(folder, { recursive: true, force: true });
}

export const hasBundles = (): boolean => process.env[variable] !== undefined;

/** Makes `programArgs` return bundles from now on, in this process and those that it starts, and returns their folder. */
export async function makeBundles(some: readonly Program[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gemba-programs-'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await writeBundles(some, folder);
  process.env[variable] = folder;
  return folder;
}

async function writeBundles(some: readonly Program[], outDir: string): Promise<void> {
  const { bundlePrograms } = await loadBundler();
  const shared = some.filter((program) => program !== oneFileProgram);
  if (shared.length > 0) await bundlePrograms(shared, { outDir });
  if (some.includes(oneFileProgram)) await bundlePrograms([oneFileProgram], { outDir, isOneFile: true });
}

/** The bundler takes a second to load, and most users of this file have bundles already. */
const loadBundler = () => import('../tools/bundle-programs.ts');
