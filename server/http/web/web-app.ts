/**
 * Serves the files of the web app. A path that the app shows as a screen gets the app's HTML page. An unknown page that a
 * browser opens gets that page, too: the app says that there is no such page. The next handler gets all other paths.
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

/** Returns the file of a path, or the page of a screen. */
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

/** A person mistyped an address: the browser asks for a page, and the path names neither a file nor the API. */
const isUnknownPage = (req: Request): boolean =>
  acceptsPage(req) && !req.path.includes('.') && !/^\/api(?:\/|$)/.test(req.path);
