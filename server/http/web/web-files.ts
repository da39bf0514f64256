/** Reads the files of the built app into memory, some dozen files, ready to be sent. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

interface WebFile {
  headers: Record<string, string>;
  etag: string;
  body: Buffer;
  /** undefined if compressing does not make the file smaller. */
  gzipped: Buffer | undefined;
}

/** The files by URL path, such as `/index.html`. */
export type WebFiles = ReadonlyMap<string, WebFile>;

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};

/** Returns undefined if the app was not built; `npm start` and `npm run build` build it. */
export function readWebFiles(folder: string): WebFiles | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined;
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  const known = names.filter((name) => extname(name) in types);
  return new Map(known.map((name) => [`/${name}`, webFile(`/${name}`, readFileSync(join(folder, name)))]));
}

function webFile(path: string, body: Buffer): WebFile {
  const gzipped = gzipSync(body, { level: 9 });
  return {
    headers: { 'Content-Type': types[extname(path)]!, 'Cache-Control': cacheControl(path), Vary: 'Accept-Encoding' },
    etag: `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`,
    body,
    gzipped: gzipped.length < body.length ? gzipped : undefined,
  };
}

/**
 * File names under `/assets/` contain a hash of the content, so browsers may cache these files for ever. Browsers ask
 * for other files each time, with their ETag.
 */
const cacheControl = (path: string): string =>
  path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
