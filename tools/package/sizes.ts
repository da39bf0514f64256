/** Measures what an app loads of each entry of a built package. */
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown, type OutputChunk } from 'rolldown';
import { peerPackages, sharedPackages } from './entries.ts';

/** An app imports these names of each entry. The server's entry runs in no browser. */
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
  return sizes;
}

/** The minified code that an app with this module alone loads before it runs. */
export async function codeAtStart(project: string, module: string): Promise<string> {
  return atStart(await bundleOf(project, module))
    .map(({ code }) => code)
    .join('');
}

/** The table of the package's README, in kB rounded up. */
export function sizeTable(sizes: readonly EntrySize[]): string {
  const kB = (bytes: number) => Math.ceil(bytes / 1_000);
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

/** The entry, and what it imports before it runs. */
function atStart(chunks: readonly OutputChunk[]): OutputChunk[] {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const found = new Set(chunks.filter(({ isEntry }) => isEntry));
  for (const { imports } of found) for (const name of imports) if (byName.has(name)) found.add(byName.get(name)!);
  return [...found];
}
