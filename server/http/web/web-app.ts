/**
 * Serves the files of the web app. A path of a screen of the app gets the HTML page of that screen. A browser that
 * opens an unknown page gets the app with status 404, and the app says that there is no such page. The next handler
 * gets all other paths.
 */
import type { Request, RequestHandler, Response } from 'express';
import { appPageOf } from '../../../shared/protocol/app-paths.ts';
import { etagMatchesIfNoneMatch } from '../../core/etag.ts';
import { sendBody } from '../body/send-body.ts';
import type { WebFile, WebFiles } from './web-files.ts';

export function serveWebApp(files: WebFiles): RequestHandler {
  return async (req, res, next) => {
    const known = fileAt(files, req.path);
    const file = known ?? (isUnknownPage(req) ? files.get('/index.html') : undefined);
    if (!file || (req.method !== 'GET' && req.method !== 'HEAD')) return next();
    if (!known) res.status(404);
    await sendWebFile(req, res, file);
  };
}

/** Returns the file at the path. For the path of a screen, returns the page of that screen. */
export const fileAt = (files: WebFiles, path: string): WebFile | undefined => files.get(appPageOf(path) ?? path);

export async function sendWebFile(req: Request, res: Response, file: WebFile): Promise<void> {
  const { bytes, headers } = await file.bodyFor(req.get('Accept-Encoding'));
  res.vary('Accept-Encoding').set({ ...file.headers, ETag: headers.ETag });
  const ifNoneMatch = req.get('If-None-Match');
  if (res.statusCode === 200 && ifNoneMatch !== undefined && etagMatchesIfNoneMatch(headers.ETag, ifNoneMatch)) {
    return void res.status(304).end();
  }
  sendBody(res.set(headers), bytes);
}

/** True for the request by which a browser opens a page. */
export const acceptsPage = (req: Request): boolean => (req.get('Accept') ?? '').includes('text/html');

/** Returns true if a browser opens a page whose path names neither a file nor the API, such as a mistyped address. */
const isUnknownPage = (req: Request): boolean =>
  acceptsPage(req) && !req.path.includes('.') && !/^\/api(?:\/|$)/.test(req.path);
