/** Puts the package together: the engine with its types, and the server with the app. */
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { build } from 'vite';
import { bundleForPackage, programFilesFolder } from '../bundle-programs.ts';
import { scalarFile } from '../../server/openapi/reference/page.ts';
import { buildSite } from '../site/build-site.ts';
import { typesFile } from './api-files.ts';
import { buildEngine } from './engine-code.ts';
import { serverEntries, typedEntries } from './entries.ts';
import { isInExamples } from './example-files.ts';
import { BundledPackages } from './licences.ts';
import { packageManifest } from './manifest.ts';

const root = resolve(import.meta.dirname, '../..');

interface PackageOptions {
  /** The folder of a built app. Default: it is built. */
  app?: string;
  /** The folder of the built site of the documents. Default: it is built. */
  site?: string;
}

export async function makePackage(folder: string, { app, site }: PackageOptions = {}): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'engine'), { recursive: true });
  const bundled = new BundledPackages();
  await buildEngine(join(folder, 'engine'), [bundled.plugin]);
  await bundleForPackage(serverEntries, { outDir: join(folder, 'server'), plugins: [bundled.plugin] });
  await copyFiles(join(folder, 'server', programFilesFolder), { app, site });
  for (const entry of typedEntries) {
    await cp(typesFile(entry), join(folder, entry === 'server' ? 'server' : 'engine', `${entry}.d.ts`));
  }
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(packageManifest(), null, 2)}\n`);
  await writeFile(join(folder, 'THIRD-PARTY-LICENCES.txt'), bundled.text());
  await cp(join(root, 'docs/package.md'), join(folder, 'README.md'));
  // The messages of the server and the README name these.
  for (const name of [
    'engine.md',
    'react.md',
    'rxdb.md',
    'devtools.md',
    'operations.md',
    'integrators.md',
    'sync-protocol.md',
  ]) {
    await cp(join(root, 'docs', name), join(folder, 'docs', name));
  }
  const examples = join(root, 'examples');
  const filter = (path: string) => isInExamples(relative(examples, path).replaceAll('\\', '/'));
  await cp(examples, join(folder, 'examples'), { recursive: true, filter });
  for (const name of ['LICENSE', 'CHANGELOG.md']) await cp(join(root, name), join(folder, name));
}

/** Copies what the server reads when it runs: the built app, the guide, and the files beside its sources. */
async function copyFiles(folder: string, { app, site }: Record<'app' | 'site', string | undefined>): Promise<void> {
  const builtApp = join(folder, 'dist');
  if (app === undefined) {
    await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn', build: { outDir: builtApp } });
  } else await cp(app, builtApp, { recursive: true });
  for (const name of await readdir(join(root, 'server'), { recursive: true })) {
    if (/\.(?:sql|css|js|json)$/.test(name)) await cp(join(root, 'server', name), join(folder, 'server', name));
  }
  const guide = join(folder, 'site');
  if (site === undefined) await buildSite(guide);
  else await cp(site, guide, { recursive: true });
  await cp(scalarFile, join(folder, 'server/openapi/reference/scalar.js'));
}
