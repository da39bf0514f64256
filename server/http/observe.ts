/** One line in the log and one observation in the metrics for each request. */
import type { Request, RequestHandler, Response } from 'express';
import type { ProblemCode } from '../../shared/protocol/problem.ts';
import type { Metrics } from '../observe/metrics.ts';
import { requestIdOf } from './request-id.ts';
import type { Services } from './services.ts';

/** Requests without a route are counted together: paths that do not exist have no bound. */
const noRoute = 'none';

export function observe({ log, metrics }: Pick<Services, 'log' | 'metrics'>): RequestHandler {
  return (req, res, next) => {
    const startedAt = performance.now();
    const bytesBefore = req.socket.bytesWritten;
    const { method } = req;
    res.locals['metrics'] = metrics;
    // Also when the client went away before its answer.
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

/** The client left before there was an answer; the status that nginx made common. */
const closedEarly = 499;

/** For the log alone. */
export function noteAccount(res: Response, accountId: string): void {
  res.locals['accountId'] = accountId;
}

const accountIdOf = (res: Response): string | undefined => res.locals['accountId'] as string | undefined;

/** Refusals because of what an account may have. */
const bounds: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
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

/** Counts a refusal where a bound of its account is the reason. */
export function noteRefusal(res: Response, code: ProblemCode): void {
  const metrics = res.locals['metrics'] as Metrics | undefined;
  if (bounds.has(code)) metrics?.boundsReached.inc({ code });
}

/** As it was declared, with parameters by name: no ids, cursors or codes. */
function routeOf(req: Request): string {
  return (req.route as { path?: string } | undefined)?.path ?? noRoute;
}

/** A stream lasts as long as its reader stays, which says nothing. */
const isStream = (res: Response): boolean => String(res.getHeader('Content-Type')).startsWith('text/event-stream');
