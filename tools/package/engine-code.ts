/** Builds the code of the engine's entries: one module an entry, and modules that load on demand. */
import { basename, join, resolve } from 'node:path';
import { rolldown, type Plugin } from 'rolldown';
import { engineEntries, peerPackages, sharedPackages, workerSources } from './entries.ts';
import { workerStarts, workerStartsPlugin } from './worker-starts.ts';

const root = resolve(import.meta.dirname, '../..');
const unbundled = [...sharedPackages, ...peerPackages, '@photostructure/sqlite', 'node:'];

/**
 * HPKE falls back to Node's module on a platform without `crypto`, where the engine does not open. Builders of apps would look
 * for the module, and warn that there is none.
 */
const noNodeCrypto: Plugin = {
  name: 'gemba-no-node-crypto',
  resolveId: (id) => (id === 'crypto' ? 'platform-crypto.js' : undefined),
  load: (id) => (id === 'platform-crypto.js' ? 'export const { crypto: webcrypto } = globalThis;' : undefined),
};

/** Writes the code to the folder. The names of its modules say what they are, and no module is in a folder within it. */
export async function buildEngine(outDir: string, plugins: Plugin[] = []): Promise<void> {
  const workers = workerSources.map((source) => [basename(source, '.ts'), source]);
  const bundle = await rolldown({
    input: {
      ...Object.fromEntries(
        [...Object.entries(engineEntries), ...workers].map(([name, path]) => [name!, join(root, path!)]),
      ),
      ...Object.fromEntries(Object.values(workerStarts).map((name) => [name, name])),
    },
    cwd: root,
    platform: 'browser',
    external: (id) => unbundled.some((name) => id === name || id.startsWith(name.endsWith(':') ? name : `${name}/`)),
    plugins: [workerStartsPlugin(), noNodeCrypto, ...plugins],
  });
  await bundle.write({
    dir: outDir,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    // React's server components need this before the hooks, and Rolldown drops it from sources.
    banner: ({ name }) => (name === 'react' ? "'use client';" : ''),
  });
  await bundle.close();
}
