/**
 * The programs that tests start in processes of their own, each bundled into one file: a bundle starts in a quarter of
 * the time that `tsx` takes, and tests start hundreds. As vitest's `globalSetup` this file makes the bundles.
 */
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';
import type { TestProject } from 'vitest/node';

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
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await bundleInto(folder);
  project.onTestsRerun(() => bundleInto(folder));
  process.env[variable] = folder;
  return () => rm(folder, { recursive: true, force: true });
}

async function bundleInto(outDir: string): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [sourceLocations()],
    // Native code stays in its package.
    ssr: { noExternal: true, external: ['@photostructure/sqlite'] },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: false,
      rolldownOptions: {
        input: Object.fromEntries(programs.map((path) => [path, join(root, `${path}.ts`)])),
        output: { entryFileNames: '[name].js' },
      },
    },
  });
}

/** Programs read files beside their sources, such as migrations. */
function sourceLocations(): Plugin {
  return {
    name: 'gemba-places-of-the-sources',
    enforce: 'pre',
    transform: {
      filter: { id: { include: `${root}/**`, exclude: '**/node_modules/**' }, code: /\bimport\.meta\./ },
      handler: (code, id) =>
        code
          .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
    },
  };
}
