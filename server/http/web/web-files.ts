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
  return new Map(servedNames.map((name) => [`/${name}`, webFile(`/${name}`, readFileSync(join(folder, name)))]));
}

const webFile = (path: string, body: Buffer): WebFile => ({
  headers: { 'Content-Type': contentTypes[extname(path)]!, 'Cache-Control': cacheControlOf(path) },
  bodyFor: encodedBodies(() => body),
});

/**
 * A file under `/assets/` has a hash of its content in its name, so a browser may cache the file for ever. Any other file
 * may change, so a browser must ask whether the ETag is still the same before it uses its copy.
 */
const cacheControlOf = (path: string): string =>
  path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
