/** Writes one log line and one metric observation for each request. */
import type { Request, RequestHandler, Response } from 'express';
import type { ProblemCode } from '../../shared/protocol/problem.ts';
import type { Metrics } from '../observe/metrics.ts';
import { requestIdOf } from './request-id.ts';
import type { Services } from './services.ts';

/** The metrics count all requests without a route under one label, since unknown paths have no limit. */
const noRoute = 'none';

export function observe({ log, metrics }: Pick<Services, 'log' | 'metrics'>): RequestHandler {
  return (req, res, next) => {
    const startedAt = performance.now();
    const bytesBefore = req.socket.bytesWritten;
    const { method } = req;
    res.locals['metrics'] = metrics;
    // The `close` event also comes when the client leaves before the response.
    res.once('close', () => {
      const durationMs = performance.now() - startedAt;
      const route = routeOf(req);
      const status = res.headersSent ? res.statusCode : closedEarly;
      if (!isStream(res)) metrics.requestSecs.observe({ route, method, status }, durationMs / 1000);
      if (status === 429) metrics.rateLimited.inc();
      const line = {
        request_id: requestIdOf(res),
        method,
        route,
        status,
        duration_ms: Math.round(durationMs * 100) / 100,
        bytes: req.socket.bytesWritten - bytesBefore,
        ...(accountIdOf(res) ? { account_id: accountIdOf(res) } : {}),
      };
      if (status >= 500) log.warn(line, 'request');
      else log.info(line, 'request');
    });
    next();
  };
}

/** The status, made common by nginx, for a client that left before the response. */
const closedEarly = 499;

/** Stores the account id for the log line. */
export function rememberAccountId(res: Response, accountId: string): void {
  res.locals['accountId'] = accountId;
}

const accountIdOf = (res: Response): string | undefined => res.locals['accountId'] as string | undefined;

/** Codes of refusals that are due to a limit of the account. */
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

/** Counts a refusal in the metrics if a limit of the account is the reason. */
export function countLimitRefusal(res: Response, code: ProblemCode): void {
  const metrics = res.locals['metrics'] as Metrics | undefined;
  if (limitCodes.has(code)) metrics?.boundsReached.inc({ code });
}

/** Returns the route's path with the names of its parameters, so that no ids, cursors or codes reach the log. */
function routeOf(req: Request): string {
  return (req.route as { path?: string } | undefined)?.path ?? noRoute;
}

/** A stream lasts as long as its reader stays, so its duration says nothing about the server. */
const isStream = (res: Response): boolean => String(res.getHeader('Content-Type')).startsWith('text/event-stream');
