/** The Express app of a started server: its routes, the reply for unknown paths and the handler of errors. */
import type { RequestListener } from 'node:http';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { StoreUnavailable } from '../store/store.ts';
import { errorFields } from '../observe/log.ts';
import { createTokenUseRecorder } from '../auth/token-use.ts';
import { adminRoutes } from './routes/admin-routes.ts';
import { deviceRoutes } from './routes/device-routes.ts';
import { appForEveryRequest } from './common-middleware.ts';
import { drainingRefusal, healthPerSecMax, healthRoutes } from './routes/health-routes.ts';
import { keyRoutes } from './routes/key-routes.ts';
import { createKnownTokens } from './limits/known-tokens.ts';
import { mapRoutes } from './routes/map-routes.ts';
import {
  responseMemoryLimits,
  bodyMemoryLimits,
  createMemoryBudget,
  type MemoryLimits,
} from './limits/memory-budget.ts';
import { pairingRoutes } from './routes/pairing-routes.ts';
import { pipeline } from './pipeline.ts';
import { recordingRoutes } from './routes/recording-routes.ts';
import { referenceRoutes } from './routes/reference-routes.ts';
import { requestIdOf } from './request-id.ts';
import { withPathAsTarget } from './request-target.ts';
import { respondProblem } from './respond.ts';
import type { Route } from './route.ts';
import { runRoutes } from './routes/run-routes.ts';
import type { Health, Services } from './services.ts';
import { limitedPerSecond } from './limits/limited-per-second.ts';
import { stageRoutes } from './routes/stage-routes.ts';
import { syncRoutes } from './routes/sync-routes.ts';
import type { TrustedProxies } from './limits/trusted-proxies.ts';
import { webApp } from './web/web-app.ts';
import type { WebFiles } from './web/web-files.ts';

interface HttpAppOptions {
  services: Services;
  adminToken: string | undefined;
  trustedProxies?: TrustedProxies | undefined;
  /** The origins whose web apps may call the API. */
  corsOrigins?: readonly string[] | undefined;
  /** The files of the built app; absent if it was not built. */
  webFiles?: WebFiles | undefined;
  /** Limits the memory of request bodies. */
  bodyMemory?: MemoryLimits | undefined;
  /** Limits the memory of responses. */
  responseMemory?: MemoryLimits | undefined;
  /** Called with each error that led to a 500. */
  onBug(error: unknown, requestId: string): void;
}

export function createHttpApp({
  services,
  adminToken,
  trustedProxies,
  corsOrigins,
  webFiles,
  bodyMemory = bodyMemoryLimits,
  responseMemory = responseMemoryLimits,
  onBug,
}: HttpAppOptions): RequestListener {
  const { world, log, metrics, limits } = services;
  const knownTokens = createKnownTokens(world);
  const app = appForEveryRequest({ world, log, metrics, limits, knownTokens, trustedProxies, corsOrigins });
  app.use(refuseWhileDraining(services.health));
  const authenticator = { store: services.store, adminToken, tokenUse: createTokenUseRecorder(services) };
  const gate = {
    authenticator,
    limits,
    knownTokens,
    bodies: createMemoryBudget(bodyMemory),
    responses: createMemoryBudget(responseMemory),
  };
  for (const [path, routes] of groupByPath(routesOf(services, adminToken))) {
    const mounted = app.route(path);
    for (const route of routes) mounted[verbs[route.method]](pipeline(route, gate));
    mounted.all(refuseOtherMethods(allowedMethods(routes)));
  }
  // Metrics are for the operator's monitoring, so the API document leaves this route out.
  const metricsText = limitedPerSecond(() => metrics.text(), { perSecMax: healthPerSecMax });
  const scraped = app.route('/metrics').get(async (_req, res) => {
    res.set('Content-Type', metrics.contentType).end(await metricsText());
  });
  scraped.all(refuseOtherMethods(allowedMethods([{ method: 'GET' }])));
  if (webFiles) app.use(webApp(webFiles));
  app.use(refuseUnknownPath, handleErrors(services, onBug));
  return withPathAsTarget(app);
}

/** Lists all routes in the order in which Express tries them: a fixed path comes before a path with parameters. */
export function routesOf(services: Services, adminToken: string | undefined): Route[] {
  const routes: Route[] = [
    ...healthRoutes(services),
    ...mapRoutes(services),
    ...stageRoutes(services),
    ...recordingRoutes(services),
    ...runRoutes(services),
    ...syncRoutes(services),
    ...pairingRoutes(services),
    ...deviceRoutes(services),
    ...keyRoutes(services),
    ...(adminToken === undefined ? [] : adminRoutes(services)),
    ...referenceRoutes(() => routes),
  ];
  return routes;
}

const verbs = { GET: 'get', POST: 'post', PATCH: 'patch' } as const;

function groupByPath(routes: Route[]): Map<string, Route[]> {
  const grouped = new Map<string, Route[]>();
  for (const route of routes) grouped.set(route.path, [...(grouped.get(route.path) ?? []), route]);
  return grouped;
}

function allowedMethods(routes: Pick<Route, 'method'>[]): string {
  const methods = routes.map(({ method }) => method as string);
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}

/**
 * Refuses requests during shutdown and closes the connection, so that the client's next request reaches another server.
 */
function refuseWhileDraining(health: Health): RequestHandler {
  return (req, res, next) => {
    if (!health.draining) return next();
    res.set('Connection', 'close');
    return req.path === '/healthz' ? next() : respondProblem(res, drainingRefusal);
  };
}

function refuseOtherMethods(allow: string): RequestHandler {
  return (req, res) => {
    res.set('Allow', allow);
    if (req.method === 'OPTIONS') return void res.status(204).end();
    const detail = `${req.method} is not for this route; ${allow} are.`;
    respondProblem(res, { ok: false, error: { code: 'method_not_allowed', detail } });
  };
}

const refuseUnknownPath: RequestHandler = (req, res) => {
  respondProblem(res, { ok: false, error: { code: 'not_found', detail: `There is no route ${req.path}.` } });
};

/** Handles every error that a handler throws. The client learns only the kind of the error. */
function handleErrors({ log, health }: Services, onBug: HttpAppOptions['onBug']): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    const unavailable = error instanceof StoreUnavailable;
    const badPath = error instanceof URIError;
    const line = { request_id: requestIdOf(res), error: errorFields(error) };
    if (unavailable && req.method !== 'GET' && req.method !== 'HEAD') health.writesFail = true;
    if (unavailable) log.warn(line, 'the store is unavailable');
    else if (!badPath) {
      log.error(line, 'a request failed');
      onBug(error, requestIdOf(res));
    }
    if (res.headersSent) return void res.destroy();
    if (badPath) return refuseUnknownPath(req, res, _next);
    const refusal = unavailable
      ? ({ code: 'unavailable', detail: 'The store cannot answer now; try again.' } as const)
      : ({ code: 'internal_error', detail: 'The server failed at this request; it was not your doing.' } as const);
    respondProblem(res, { ok: false, error: refusal });
  };
}
