/** Lists the files of the web app, which stay in memory, and the files of the guide, which are read on request. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { createBodyEncoder } from './encoded-bodies.ts';

export interface WebFile {
  headers: Record<string, string>;
  bodyFor: ReturnType<typeof createBodyEncoder>;
}

/** Each file under its URL path, such as `/index.html`. */
export type WebFiles = ReadonlyMap<string, WebFile>;

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.json': 'application/json; charset=utf-8',
  '.ndjson': 'application/x-ndjson; charset=utf-8',
  '.sql': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};

/** Returns undefined if the app was not built. `npm start` and `npm run build` build the app. */
export function readWebFiles(folder: string): WebFiles | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined;
  const names = fileNamesIn(folder);
  const brotliNames = new Set(names.filter((name) => extname(name) === '.br'));
  const read = (name: string) => readFileSync(join(folder, name));
  return new Map(
    names.filter(isServed).map((name) => {
      const brotli = brotliNames.has(`${name}.br`) ? read(`${name}.br`) : undefined;
      const body = read(name);
      return [`/${name}`, makeWebFile(`/${name}`, { make: () => body, brotli, hashedFolder: '/assets/' })];
    }),
  );
}

/**
 * Returns a function that lists the files of the guide. The function lists the files anew after each build, and returns
 * undefined while there is no guide.
 */
export function createGuideReader(folder: string): () => WebFiles | undefined {
  let listed: { build: string; files: WebFiles } | undefined;
  return () => {
    const page = statSync(join(folder, 'index.html'), { throwIfNoEntry: false });
    if (!page) return undefined;
    const build = `${page.ino} ${page.mtimeMs}`;
    if (listed?.build !== build) listed = { build, files: listGuideFiles(folder) };
    return listed.files;
  };
}

function listGuideFiles(folder: string): WebFiles {
  const names = fileNamesIn(folder).filter(isServed);
  return new Map(
    names.map((name) => {
      const make = () => readFile(join(folder, name));
      return [`/${name}`, makeWebFile(`/${name}`, { make, hashedFolder: '/files/' })];
    }),
  );
}

const fileNamesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));

const isServed = (name: string): boolean => extname(name) in contentTypes;

interface WebFileSource {
  make(): Buffer | Promise<Buffer>;
  brotli?: Buffer | undefined;
  /** The folder whose files have a hash of their content in their names. */
  hashedFolder: string;
}

const makeWebFile = (path: string, { make, brotli, hashedFolder }: WebFileSource): WebFile => ({
  headers: { 'Content-Type': contentTypes[extname(path)]!, 'Cache-Control': cacheControlOf(path, hashedFolder) },
  bodyFor: createBodyEncoder(make, { brotli }),
});

/**
 * A file with a hash of its content in its name never changes, so browsers may cache it for ever. For any other file,
 * browsers must ask whether the ETag is still the same.
 */
const cacheControlOf = (path: string, hashedFolder: string): string =>
  path.startsWith(hashedFolder) ? 'public, max-age=31536000, immutable' : 'no-cache';
