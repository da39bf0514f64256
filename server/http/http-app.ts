/** The Express app of a started server: its routes, the reply for unknown paths and the handler of errors. */
import type { RequestListener } from 'node:http';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { PhotoStorageFull } from '../photos/photo-storage.ts';
import { SpoolDiskFull } from '../export/spool.ts';
import { StoreUnavailable } from '../store/store.ts';
import { errorFields } from '../observe/log.ts';
import { createTokenUseRecorder } from '../auth/token-use.ts';
import { createDeviceCountRefresher } from '../fleet/count-devices.ts';
import { createTableMeter } from '../store/table-sizes.ts';
import { adminRoutes } from './routes/admin-routes.ts';
import { accountRoutes } from './routes/account-routes.ts';
import { certificateRoutes } from './routes/certificate-routes.ts';
import { deviceRoutes } from './routes/device-routes.ts';
import { createBaseApp } from './common-middleware.ts';
import { drainingRefusal, healthChecksPerSecMax, healthRoutes } from './routes/health-routes.ts';
import { billingEventsRoute } from './integration/billing-events-route.ts';
import { billingRoutes } from './integration/billing-routes.ts';
import { eventRoutes } from './integration/event-routes.ts';
import { webhookDeliveryRoutes } from './integration/webhook-delivery-routes.ts';
import { webhookRoutes } from './integration/webhook-routes.ts';
import { exportRoutes } from './integration/export-routes.ts';
import { valueStreamRoute } from './integration/value-stream-route.ts';
import { importRoutes } from './integration/import-routes.ts';
import { keyRoutes } from './routes/key-routes.ts';
import { createKnownTokens } from './limits/known-tokens.ts';
import type { MessageClasses } from './message-classes.ts';
import { mapRoutes } from './routes/map-routes.ts';
import {
  responseMemoryLimits,
  bodyMemoryLimits,
  createMemoryBudget,
  type MemoryLimits,
} from './limits/memory-budget.ts';
import { pairingRoutes } from './routes/pairing-routes.ts';
import { pipelineHandler } from './pipeline.ts';
import { wasSealed } from './relay/inner-requests.ts';
import { relayRoutes } from './relay/relay-routes.ts';
import { photoRoutes } from './photos/photo-routes.ts';
import { uploadRoutes } from './photos/upload-routes.ts';
import { recordingRoutes } from './routes/recording-routes.ts';
import { referenceRoutes } from './routes/reference-routes.ts';
import { requestIdOf } from './request-id.ts';
import { withPathAsTarget } from './request-target.ts';
import { respondProblem } from './respond.ts';
import type { Route } from './route.ts';
import { runRoutes } from './routes/run-routes.ts';
import type { Readiness, Services } from './services.ts';
import { limitPerSecond } from './limits/limit-per-second.ts';
import { stageRoutes } from './routes/stage-routes.ts';
import { syncRoutes } from './routes/sync-routes.ts';
import type { TrustedProxies } from './limits/trusted-proxies.ts';
import { isGuideFile, serveGuide } from './web/guide.ts';
import { fileAt, serveWebApp } from './web/web-app.ts';
import type { WebFiles } from './web/web-files.ts';

interface HttpAppOptions {
  services: Services;
  adminToken: string | undefined;
  trustedProxies?: TrustedProxies | undefined;
  /** The origins whose web apps may call the API. */
  corsOrigins?: readonly string[] | undefined;
  /** The certificate of the server's own authority; undefined if the server did not make its certificate. */
  authorityCert?: string | undefined;
  /** The files of the web app; undefined if the app was not built. */
  webFiles?: WebFiles | undefined;
  /** Returns the pages of the guide, or undefined while they are not built. Absent on a server without a guide. */
  readGuide?: (() => WebFiles | undefined) | undefined;
  bodyMemory?: MemoryLimits | undefined;
  responseMemory?: MemoryLimits | undefined;
  messageClasses?: MessageClasses | undefined;
  /** Called with each error that the client sees as a 500. */
  onBug(error: unknown, requestId: string): void;
}

export function createHttpApp({
  services,
  adminToken,
  trustedProxies,
  corsOrigins,
  authorityCert,
  webFiles,
  readGuide,
  bodyMemory = bodyMemoryLimits,
  responseMemory = responseMemoryLimits,
  messageClasses,
  onBug,
}: HttpAppOptions): RequestListener {
  const { world, log, metrics, limits } = services;
  const knownTokens = createKnownTokens(world);
  const hasOwnCertificate = authorityCert !== undefined;
  const app = createBaseApp({
    world,
    log,
    metrics,
    limits,
    knownTokens,
    trustedProxies,
    corsOrigins,
    hasOwnCertificate,
    messageClasses,
    isFile: (path) =>
      (webFiles && fileAt(webFiles, path)) !== undefined || (readGuide !== undefined && isGuideFile(readGuide, path)),
  });
  app.use(refuseWhileDraining(services.readiness));
  const authenticator = { store: services.store, adminToken, tokenUse: createTokenUseRecorder(services) };
  const pipelineOptions = {
    authenticator,
    limits,
    knownTokens,
    bodyMemory: createMemoryBudget(bodyMemory),
    responseMemory: createMemoryBudget(responseMemory),
  };
  const routes = [
    ...routesOf(services, adminToken, { hasGuide: readGuide !== undefined }),
    ...(authorityCert === undefined ? [] : certificateRoutes(authorityCert)),
  ];
  for (const [path, routesOfPath] of groupByPath(routes)) {
    const mounted = app.route(path);
    for (const route of routesOfPath) mounted[expressMethods[route.method]](pipelineHandler(route, pipelineOptions));
    const optionsHeaders = Object.assign({}, ...routesOfPath.map((route) => route.optionsHeaders));
    mounted.all(refuseOtherMethods(allowHeaderOf(routesOfPath), optionsHeaders));
  }
  const refreshDeviceCounts = createDeviceCountRefresher(services, metrics.devices);
  const refreshTableSizes = createTableMeter(services, metrics.tableBytes);
  const metricsText = limitPerSecond(
    () => {
      refreshDeviceCounts();
      refreshTableSizes();
      return metrics.text();
    },
    { perSecMax: healthChecksPerSecMax },
  );
  const metricsRoute = app.route('/metrics').get(async (_req, res) => {
    res.set('Content-Type', metrics.contentType).end(await metricsText());
  });
  metricsRoute.all(refuseOtherMethods(allowHeaderOf([{ method: 'GET' }])));
  if (readGuide) app.use(serveGuide(readGuide));
  if (webFiles) app.use(serveWebApp(webFiles));
  app.use(refuseUnknownPath, handleErrors(services, onBug));
  const listener = withPathAsTarget(app);
  services.innerRequests.setHandler(listener, messageClasses);
  return listener;
}

/** Express takes the first route that matches, so a fixed path must come before a path with parameters. */
export function routesOf(services: Services, adminToken: string | undefined, { hasGuide = false } = {}): Route[] {
  const routes: Route[] = [
    ...healthRoutes(services),
    ...mapRoutes(services),
    ...stageRoutes(services),
    ...recordingRoutes(services),
    ...runRoutes(services),
    ...photoRoutes(services),
    ...uploadRoutes(services),
    ...eventRoutes(services),
    ...webhookRoutes(services),
    ...webhookDeliveryRoutes(services),
    ...exportRoutes(services),
    valueStreamRoute(services),
    ...importRoutes(services),
    ...syncRoutes(services),
    ...relayRoutes(services),
    ...pairingRoutes(services),
    ...accountRoutes(services),
    ...deviceRoutes(services),
    ...keyRoutes(services),
    ...(services.billing ? [...billingRoutes(services.billing), billingEventsRoute(services.billing)] : []),
    ...(adminToken === undefined ? [] : adminRoutes(services)),
    ...referenceRoutes(() => routes, { hasGuide }),
  ];
  return routes;
}

const expressMethods = { GET: 'get', HEAD: 'head', POST: 'post', PATCH: 'patch', DELETE: 'delete' } as const;

function groupByPath(routes: Route[]): Map<string, Route[]> {
  const grouped = new Map<string, Route[]>();
  for (const route of routes) grouped.set(route.path, [...(grouped.get(route.path) ?? []), route]);
  return grouped;
}

function allowHeaderOf(routes: Pick<Route, 'method'>[]): string {
  const methods = routes.map(({ method }) => method as string);
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}

/** During shutdown, refuses requests and closes their connections, so that the load balancer takes another server. */
function refuseWhileDraining(readiness: Readiness): RequestHandler {
  return (req, res, next) => {
    // An inner request goes on, since its outer, sealed request was accepted before the shutdown began.
    if (!readiness.draining || wasSealed(req)) return next();
    res.set('Connection', 'close');
    return req.path === '/healthz' ? next() : respondProblem(res, drainingRefusal);
  };
}

function refuseOtherMethods(allow: string, optionsHeaders: Record<string, string> = {}): RequestHandler {
  return (req, res) => {
    res.set('Allow', allow);
    if (req.method === 'OPTIONS') return void res.status(204).set(optionsHeaders).end();
    const detail = `${req.method} is not for this route; ${allow} are.`;
    respondProblem(res, { ok: false, error: { code: 'method_not_allowed', detail } });
  };
}

const refuseUnknownPath: RequestHandler = (req, res) => {
  respondProblem(res, { ok: false, error: { code: 'not_found', detail: `There is no route ${req.path}.` } });
};

/** The replies to the errors of full disks. Unlike an outage, such an error lasts until an operator makes room. */
const fullDiskReplies = [
  {
    type: PhotoStorageFull,
    message: 'the storage of photos is full',
    detail: 'The server has no room for photos at the moment; try again later.',
  },
  {
    type: SpoolDiskFull,
    message: 'the disk of exports is full',
    detail: 'The server has no room on its disk for this export at the moment; export less, or try again later.',
  },
];

/** The client learns only whether the store is unavailable or the server failed. The log has the error itself. */
function handleErrors({ log, readiness }: Services, onBug: HttpAppOptions['onBug']): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    const unavailable = error instanceof StoreUnavailable;
    const full = fullDiskReplies.find(({ type }) => error instanceof type);
    const badPath = error instanceof URIError;
    const line = { request_id: requestIdOf(res), error: errorFields(error) };
    if (unavailable && req.method !== 'GET' && req.method !== 'HEAD') readiness.writesFail = true;
    if (unavailable) log.warn(line, 'the store is unavailable');
    else if (full) log.warn(line, full.message);
    else if (!badPath) {
      log.error(line, 'a request failed');
      onBug(error, requestIdOf(res));
    }
    if (res.headersSent) return void res.destroy();
    if (badPath) return refuseUnknownPath(req, res, _next);
    if (full) return respondProblem(res, { ok: false, error: { code: 'unavailable', detail: full.detail } });
    const refusal = unavailable
      ? ({ code: 'unavailable', detail: 'The store cannot answer now; try again.' } as const)
      : ({ code: 'internal_error', detail: 'The server failed at this request; it was not your doing.' } as const);
    respondProblem(res, { ok: false, error: refusal });
  };
}
