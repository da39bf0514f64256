/** The `package.json` of the package, made from that of the repository. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { engineEntries, exportPath, sharedPackages } from './entries.ts';
import { workerStarts } from './worker-starts.ts';

const root = resolve(import.meta.dirname, '../..');

interface RootManifest {
  version: string;
  description: string;
  license: string;
  engines: { node: string };
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
}

const readRootManifest = () => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as RootManifest;

const moduleFile = (name: string): string => `./engine/${name}.js`;

const rangeOf = (version: string): string => `^${version}`;

export function packageManifest(): object {
  const { version, description, license, engines, dependencies, optionalDependencies } = readRootManifest();
  const entries = Object.keys(engineEntries).map((entry) => [exportPath(entry), conditions(`engine/${entry}`)]);
  return {
    name: 'gemba',
    version,
    description,
    license,
    type: 'module',
    engines,
    keywords: ['offline-first', 'local-first', 'sync', 'lean', 'time-study', 'rxjs'],
    sideEffects: false,
    bin: { gemba: 'server/gemba.js' },
    exports: {
      ...Object.fromEntries(entries),
      './server': conditions('server/server'),
      './package.json': './package.json',
    },
    // Metro takes the second module for the first one.
    'react-native': { [moduleFile(workerStarts.here)]: moduleFile(workerStarts.nowhere) },
    files: ['engine', 'server', 'docs', 'examples', 'THIRD-PARTY-LICENCES.txt', 'CHANGELOG.md'],
    // An app and the engine have to share these, so that a newer one of the app's choice is taken.
    dependencies: Object.fromEntries(sharedPackages.map((name) => [name, rangeOf(dependencies[name]!)])),
    // The server and devices in Node need it. Where its native code is not to be had, the engine works in browsers.
    optionalDependencies: { '@photostructure/sqlite': dependencies['@photostructure/sqlite']! },
    peerDependencies: {
      react: '>=18',
      rxdb: rangeOf(dependencies['rxdb']!),
      stripe: rangeOf(optionalDependencies['stripe']!),
    },
    peerDependenciesMeta: { react: { optional: true }, rxdb: { optional: true }, stripe: { optional: true } },
  };
}

/** TypeScript takes the first condition that it knows. */
const conditions = (path: string) => ({ types: `./${path}.d.ts`, default: `./${path}.js` });
