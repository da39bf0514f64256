/** Bundles programs into one file each, which starts in a quarter of the time that `tsx` takes. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';

const root = resolve(import.meta.dirname, '..');

interface BundleOptions {
  outDir: string;
  sourcemap?: boolean;
  /** Whether modules that load on demand are in the program's file, too. Then there must be one program. */
  isOneFile?: boolean;
}

/** Writes the bundle of `server/main` to `server/main.js` in the folder, and so on. The folder must see `node_modules`. */
export async function bundlePrograms(
  programs: readonly string[],
  { outDir, sourcemap = false, isOneFile = false }: BundleOptions,
): Promise<void> {
  await mkdir(outDir, { recursive: true });
  await writeFile(join(outDir, 'package.json'), '{ "type": "module" }');
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
      sourcemap,
      rolldownOptions: {
        // The package is optional, and the build must go on without it.
        external: ['stripe'],
        input: Object.fromEntries(programs.map((path) => [path, join(root, `${path}.ts`)])),
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name].js',
          ...(isOneFile ? { codeSplitting: false } : {}),
          sourcemapExcludeSources: true,
          minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
        },
      },
    },
  });
}

/** Programs read files beside their sources, such as migrations. */
function sourceLocations(): Plugin {
  return {
    name: 'gemba-source-locations',
    enforce: 'pre',
    transform: {
      filter: { id: { include: `${root}/**`, exclude: '**/node_modules/**' }, code: /\bimport\.meta\./ },
      handler: (code, id) => ({
        code: code
          .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
        // Each line stays where it is.
        map: null,
      }),
    },
  };
}
