/**
 * Each response has the id of its request in a header. An operator finds the log line of a reported problem by the id.
 */
import type { RequestHandler, Response } from 'express';
import { randomUuid, type World } from '../core/world.ts';

export const requestIdHeader = 'X-Request-Id';

export function setRequestId(world: World): RequestHandler {
  return (req, res, next) => {
    const given = req.get(requestIdHeader);
    const id = given !== undefined && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : randomUuid(world);
    res.locals['requestId'] = id;
    res.setHeader(requestIdHeader, id);
    next();
  };
}

export function requestIdOf(res: Response): string {
  return String(res.locals['requestId']);
}
