/** Writes one log line and one metric observation for each request. */
import type { Request, RequestHandler, Response } from 'express';
import type { ProblemCode } from '../../shared/protocol/problem.ts';
import type { Metrics } from '../observe/metrics.ts';
import { requestIdOf } from './request-id.ts';
import type { Services } from './services.ts';

/** All unknown paths share one label, since each further label takes memory and anyone can invent paths. */
const noRouteLabel = 'none';

export function observeRequests({ log, metrics }: Pick<Services, 'log' | 'metrics'>): RequestHandler {
  return (req, res, next) => {
    const startedAt = performance.now();
    const bytesBefore = req.socket.bytesWritten;
    const { method } = req;
    res.locals['metrics'] = metrics;
    // Unlike `finish`, the event `close` also comes if the client leaves before the response.
    res.on('close', () => {
      const durationMs = performance.now() - startedAt;
      const route = routePathOf(req);
      const status = res.headersSent ? res.statusCode : clientLeftStatus;
      if (!isEventStream(res)) metrics.requestSecs.observe({ route, method, status }, durationMs / 1000);
      if (status === 429) metrics.rateLimited.inc();
      const line = {
        request_id: requestIdOf(res),
        method,
        route,
        status,
        duration_ms: Math.round(durationMs * 100) / 100,
        bytes: req.socket.bytesWritten - bytesBefore,
        ...(loggedAccountId(res) ? { account_id: loggedAccountId(res) } : {}),
      };
      if (status >= 500) log.warn(line, 'request');
      else log.info(line, 'request');
    });
    next();
  };
}

/** nginx introduced this status for a client that leaves before the response. */
const clientLeftStatus = 499;

export function setLoggedAccountId(res: Response, accountId: string): void {
  res.locals['accountId'] = accountId;
}

const loggedAccountId = (res: Response): string | undefined => res.locals['accountId'] as string | undefined;

/** A refusal with one of these codes means that the account has reached a limit. */
const limitCodes: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'map_cap_reached',
  'seat_limit_reached',
  'storage_limit_reached',
  'key_limit_reached',
  'client_limit_reached',
  'acknowledge_first',
  'idempotency_limit_reached',
  'pairing_code_limit_reached',
  'too_many_streams',
]);

/** Counts the refusal in the metrics if its reason is a limit of the account. */
export function countLimitRefusal(res: Response, code: ProblemCode): void {
  const metrics = res.locals['metrics'] as Metrics | undefined;
  if (limitCodes.has(code)) metrics?.boundsReached.inc({ code });
}

/** Returns a path such as `/maps/:id`, so that no ids, cursors or pairing codes reach the log. */
function routePathOf(req: Request): string {
  return (req.route as { path?: string } | undefined)?.path ?? noRouteLabel;
}

/** The metric of request durations leaves out event streams, since a stream lasts until its reader leaves. */
export const isEventStream = (res: Response): boolean =>
  res.locals['isEventStream'] === true || String(res.getHeader('Content-Type')).startsWith('text/event-stream');

/** Call before `forgetHeaders` removes the headers that `isEventStream` reads. */
export function rememberEventStream(res: Response): void {
  res.locals['isEventStream'] = true;
}
