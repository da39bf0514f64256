/** Reads the files of the web app into memory. These are a few dozen small files. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

interface WebFile {
  headers: Record<string, string>;
  etag: string;
  body: Buffer;
  /** undefined if gzip does not make the file smaller. */
  gzipped: Buffer | undefined;
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

function webFile(path: string, body: Buffer): WebFile {
  const gzipped = gzipSync(body, { level: 9 });
  return {
    headers: {
      'Content-Type': contentTypes[extname(path)]!,
      'Cache-Control': cacheControlOf(path),
      Vary: 'Accept-Encoding',
    },
    etag: `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`,
    body,
    gzipped: gzipped.length < body.length ? gzipped : undefined,
  };
}

/**
 * A file under `/assets/` has a hash of its content in its name, so a browser may cache the file for ever. Any other file
 * may change, so a browser must ask whether the ETag is still the same before it uses its copy.
 */
const cacheControlOf = (path: string): string =>
  path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
