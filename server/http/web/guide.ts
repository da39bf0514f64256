/** Serves the guide, a website that is built from the documents. The build may run while the server runs. */
import type { Request, RequestHandler, Response } from 'express';
import { guideMissingPage, guideMissingText, guidePath } from '../../openapi/reference/page.ts';
import { sendBody } from '../body/send-body.ts';
import { respondProblem } from '../respond.ts';
import { acceptsPage, sendWebFile } from './web-app.ts';
import type { WebFiles } from './web-files.ts';

/** Serves the guide at and below `/docs/guide/`. `readGuide` returns undefined while the guide is not built. */
export function serveGuide(readGuide: () => WebFiles | undefined): RequestHandler {
  return async (req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return next();
    if (req.path === '/docs/guide') return res.redirect(308, guidePath);
    if (!req.path.startsWith(guidePath)) return next();
    try {
      const files = readGuide();
      if (!files) return sendMissingPage(req, res);
      const file = files.get(fileNameOf(req.path));
      if (!file) return next();
      await sendWebFile(req, res, file);
    } catch (error) {
      // The file is missing if a build has just replaced the folder of the guide.
      if (!isMissingFileError(error)) throw error;
      sendMissingPage(req, res);
    }
  };
}

function fileNameOf(path: string): string {
  const name = path.slice(guidePath.length - 1);
  return name.endsWith('/') ? `${name}index.html` : name;
}

export function isGuideFile(readGuide: () => WebFiles | undefined, path: string): boolean {
  if (!path.startsWith(guidePath)) return false;
  try {
    return readGuide()?.has(fileNameOf(path)) === true;
  } catch {
    // A build may have just replaced the folder of the guide.
    return false;
  }
}

function sendMissingPage(req: Request, res: Response): void {
  res.vary('Accept').set('Cache-Control', 'no-store');
  if (!acceptsPage(req))
    return respondProblem(res, { ok: false, error: { code: 'not_found', detail: guideMissingText } });
  sendBody(res.status(404).set('Content-Type', 'text/html; charset=utf-8'), Buffer.from(guideMissingPage()));
}

const isMissingFileError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';
