/**
 * Serves the files of the web app. A path that the app shows as a screen gets the app's HTML page. The next handler gets
 * all other paths.
 */
import type { RequestHandler } from 'express';
import { appPageOf } from '../../../shared/protocol/app-paths.ts';
import { sendBody } from '../body/send-body.ts';
import type { WebFiles } from './web-files.ts';

export function serveWebApp(files: WebFiles): RequestHandler {
  return (req, res, next) => {
    const file = files.get(appPageOf(req.path) ?? req.path);
    if (!file || (req.method !== 'GET' && req.method !== 'HEAD')) return next();
    res.set(file.headers);
    // The compressed file has different bytes and so needs another ETag.
    const gzipped = req.acceptsEncodings('gzip') ? file.gzipped : undefined;
    const etag = gzipped ? `${file.etag.slice(0, -1)}-gzip"` : file.etag;
    res.set('ETag', etag);
    if (req.get('If-None-Match') === etag) return void res.status(304).end();
    if (gzipped) res.set('Content-Encoding', 'gzip');
    sendBody(res, gzipped ?? file.body);
  };
}
