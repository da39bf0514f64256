/** Measures what an app loads of each entry of a built package. */
import { readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown, type OutputChunk } from 'rolldown';
import { peerPackages, sharedPackages } from './entries.ts';

/** An app in a browser or on a phone imports these names of each entry. */
const uses = {
  gemba: { names: ['openGemba'], about: 'the engine' },
  'gemba/react': { names: ['GembaProvider', 'useMaps'], about: 'the hooks, with the engine on demand' },
  'gemba/relay': {
    names: ['createCarrier', 'createHandOver'],
    about: 'devices that carry for others, besides the engine',
  },
  'gemba/devtools': {
    names: ['createInspector', 'mountDevtools'],
    about: 'the panel and the file for support, besides the engine',
  },
  'gemba/rxdb': { names: ['replicateMaps', 'replicateRuns'], about: 'RxCollections that follow the engine' },
  'gemba/native': { names: ['sqliteStorage'], about: 'SQLite in React Native, besides the engine' },
} as const;

/** Node.js loads these files as they are, since no builder of an app takes part. */
const filesOfNode = {
  'gemba/node': { file: 'engine/node.js', about: 'SQLite and a second copy in Node.js, besides the engine' },
  'gemba/server': { file: 'server/server.js', about: 'the server in a process of your own' },
  'gemba/vite': { file: 'engine/vite.js', about: 'the plugin of a build' },
} as const;

export interface EntrySize {
  entry: string;
  about: string;
  /** The bytes of gzip that load before the first call. */
  start: number;
  /** With all that loads on demand. */
  all: number;
}

/** `project` has the package in its `node_modules`. */
export async function entrySizes(project: string): Promise<EntrySize[]> {
  const sizes: EntrySize[] = [];
  for (const [entry, { names, about }] of Object.entries(uses)) {
    const chunks = await bundleOf(project, `export { ${names.join(', ')} } from '${entry}';`);
    const bytes = (some: OutputChunk[]) => some.reduce((sum, { code }) => sum + gzipSync(code).length, 0);
    sizes.push({ entry, about, start: bytes(atStart(chunks)), all: bytes(chunks) });
  }
  for (const [entry, { file, about }] of Object.entries(filesOfNode)) {
    const files = await filesFrom(join(project, 'node_modules/gemba', file));
    const bytes = async (some: LoadedFile[]) => {
      const codes = await Promise.all(some.map(({ fileName }) => readFile(fileName)));
      return codes.reduce((sum, code) => sum + gzipSync(code).length, 0);
    };
    sizes.push({ entry, about, start: await bytes(atStart(files)), all: await bytes(files) });
  }
  return sizes;
}

/** The minified code that an app with this module alone loads before it runs. */
export async function codeAtStart(project: string, module: string): Promise<string> {
  return atStart(await bundleOf(project, module))
    .map(({ code }) => code)
    .join('');
}

/** The table of the package's README, in kB rounded up, and from 500 kB on to tens of them, so that not each change shows. */
export function sizeTable(sizes: readonly EntrySize[]): string {
  const kB = (bytes: number) => (bytes < 500_000 ? Math.ceil(bytes / 1_000) : Math.ceil(bytes / 10_000) * 10);
  const lines = sizes.map(({ entry, about, start, all }) => `| \`${entry}\` | ${about} | ${kB(start)} | ${kB(all)} |`);
  return ['| entry | for | kB at the start | kB in all |', '| --- | --- | --- | --- |', ...lines].join('\n');
}

async function bundleOf(project: string, code: string): Promise<OutputChunk[]> {
  const main = join(project, 'main.js');
  const bundle = await rolldown({
    input: main,
    cwd: project,
    platform: 'browser',
    external: [...sharedPackages, ...peerPackages].map((name) => new RegExp(`^${name}(/|$)`)),
    plugins: [
      {
        name: 'main',
        load: (id) => (id === main ? code : undefined),
        resolveId: (id) => (id === main ? id : undefined),
      },
    ],
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  return output.filter((part) => part.type === 'chunk');
}

/** A file as Node.js loads it, or a chunk of a bundle. */
type LoadedFile = Pick<OutputChunk, 'fileName' | 'isEntry' | 'imports'>;

/** The files that an entry loads, at its start or on demand, without those of other packages. */
async function filesFrom(entry: string): Promise<LoadedFile[]> {
  const files: LoadedFile[] = [];
  const bundle = await rolldown({
    input: entry,
    platform: 'node',
    treeshake: false,
    external: (id) => !id.startsWith('.') && !isAbsolute(id),
    plugins: [
      {
        name: 'files',
        buildEnd() {
          for (const id of this.getModuleIds()) {
            const info = this.getModuleInfo(id);
            if (info && isAbsolute(id)) files.push({ fileName: id, isEntry: info.isEntry, imports: info.importedIds });
          }
        },
      },
    ],
    logLevel: 'silent',
  });
  await bundle.generate();
  await bundle.close();
  return files;
}

/** The entry, and what it imports before it runs. */
function atStart<Loaded extends LoadedFile>(chunks: readonly Loaded[]): Loaded[] {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const found = new Set(chunks.filter(({ isEntry }) => isEntry));
  for (const { imports } of found) for (const name of imports) if (byName.has(name)) found.add(byName.get(name)!);
  return [...found];
}
