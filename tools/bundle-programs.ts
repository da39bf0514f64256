/** Bundles programs into one file each, which starts in a quarter of the time that `tsx` takes. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';

const root = resolve(import.meta.dirname, '..');

/** Native code and optional packages stay outside; the build must go on without the latter. */
export const unbundledPackages = ['@photostructure/sqlite', 'stripe'] as const;

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
  await bundle({
    entries: Object.fromEntries(programs.map((path) => [path, `${path}.ts`])),
    outDir,
    sourcemap,
    isOneFile,
    chunkFileNames: 'chunks/[name].js',
    locate: {
      dirname: (path) => JSON.stringify(dirname(path)),
      url: (path) => JSON.stringify(pathToFileURL(path).href),
    },
  });
}

/** The folder, beside the bundle, that has the files which programs read, each at its path in the repository. */
export const filesFolder = 'files';

/** Bundles programs for another place: each finds the files beside its sources in `files`. All are in one folder. */
export async function bundleForPackage(
  entries: Record<string, string>,
  { outDir, plugins = [] }: { outDir: string; plugins?: Plugin[] },
): Promise<void> {
  const placeOf = (path: string) => join(filesFolder, relative(root, path)).replaceAll('\\', '/');
  await bundle({
    entries,
    outDir,
    plugins,
    sourcemap: false,
    isOneFile: false,
    chunkFileNames: '[name].js',
    locate: {
      dirname: (path) => `(import.meta.dirname + ${JSON.stringify(`/${dirname(placeOf(path))}`)})`,
      url: (path) => `new URL(${JSON.stringify(placeOf(path))}, import.meta.url).href`,
    },
  });
}

interface Bundle {
  /** The source of each program, by its name. */
  entries: Record<string, string>;
  outDir: string;
  sourcemap: boolean;
  isOneFile: boolean;
  chunkFileNames: string;
  locate: Locate;
  plugins?: Plugin[];
}

async function bundle(options: Bundle): Promise<void> {
  const { entries, outDir, sourcemap, isOneFile, chunkFileNames, locate, plugins = [] } = options;
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [sourceLocations(locate), ...plugins],
    ssr: { noExternal: true, external: [...unbundledPackages] },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: false,
      sourcemap,
      rolldownOptions: {
        external: ['stripe'],
        input: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(root, path)])),
        output: {
          entryFileNames: '[name].js',
          chunkFileNames,
          ...(isOneFile ? { codeSplitting: false } : {}),
          sourcemapExcludeSources: true,
          minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
        },
      },
    },
  });
}

/** Code for the place of a source. */
interface Locate {
  dirname(path: string): string;
  url(path: string): string;
}

/** Programs read files beside their sources, such as migrations. */
function sourceLocations(locate: Locate): Plugin {
  return {
    name: 'gemba-source-locations',
    enforce: 'pre',
    transform: {
      filter: { id: { include: `${root}/**`, exclude: '**/node_modules/**' }, code: /\bimport\.meta\./ },
      handler: (code, id) => ({
        code: code.replaceAll(/\bimport\.meta\.(dirname|url)\b/g, (_, name: keyof Locate) => locate[name](id)),
        // Each line stays where it is.
        map: null,
      }),
    },
  };
}
