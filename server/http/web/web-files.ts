/** Reads the files of the web app into memory. These are a few dozen small files. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { encodedBodies } from './encoded-bodies.ts';

interface WebFile {
  headers: Record<string, string>;
  bodyFor: ReturnType<typeof encodedBodies>;
}

/** Each file under its URL path, such as `/index.html`. */
export type WebFiles = ReadonlyMap<string, WebFile>;

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};

/** Returns undefined if the app was not built. `npm start` and `npm run build` build the app. */
export function readWebFiles(folder: string): WebFiles | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined;
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  const servedNames = names.filter((name) => extname(name) in contentTypes);
  const brotliNames = new Set(names.filter((name) => extname(name) === '.br'));
  const read = (name: string) => readFileSync(join(folder, name));
  return new Map(
    servedNames.map((name) => {
      const brotli = brotliNames.has(`${name}.br`) ? read(`${name}.br`) : undefined;
      return [`/${name}`, webFile(`/${name}`, read(name), brotli)];
    }),
  );
}

const webFile = (path: string, body: Buffer, brotli: Buffer | undefined): WebFile => ({
  headers: { 'Content-Type': contentTypes[extname(path)]!, 'Cache-Control': cacheControlOf(path) },
  bodyFor: encodedBodies(() => body, { brotli }),
});

/**
 * A file under `/assets/` has a hash of its content in its name, so a browser may cache the file for ever. Any other file
 * may change, so a browser must ask whether the ETag is still the same before it uses its copy.
 */
const cacheControlOf = (path: string): string =>
  path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
