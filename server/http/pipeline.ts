/**
 * Takes every request of a route through the same steps:
 *
 *   quota of a known token or of the address (common-middleware.ts) → token → quota of the token → scopes → precheck
 *   → query → body, within the memory budget → handler → response, within the memory budget
 *
 * limits/rate-limit.ts has a diagram of the quotas.
 */
import type { Request, RequestHandler, Response } from 'express';
import { authenticate, noCaller, type AuthenticationOptions } from './authenticate.ts';
import type { Caller } from '../core/caller.ts';
import { announceDeprecation } from './deprecation.ts';
import { readBinaryBody } from './body/binary-body.ts';
import type { BriefForm } from './body/brief-form.ts';
import { readJsonBody } from './body/json-body.ts';
import type { KnownTokens } from './limits/known-tokens.ts';
import { memoryHoldersOf, type MemoryBudget, type MemoryLease } from './limits/memory-budget.ts';
import { setLoggedAccountId } from './observe.ts';
import { chargeAddressQuota, chargeTokenQuota, tokenHashOf } from './limits/rate-limit.ts';
import { wasSealed } from './relay/inner-requests.ts';
import { respond } from './respond.ts';
import type { ApiRequest, Route } from './route.ts';
import type { RateLimits } from '../store/limits/rate-limits.ts';
import type { RefusedReply, Reply } from './route-reply.ts';

interface PipelineOptions {
  authenticator: AuthenticationOptions;
  limits: RateLimits;
  knownTokens: KnownTokens;
  /** Limits the memory of request bodies, from the first byte until the handler returns. */
  bodyMemory: MemoryBudget;
  /** Limits the memory of large responses, until the client has read them. */
  responseMemory: MemoryBudget;
}

export function pipelineHandler(route: Route, options: PipelineOptions): RequestHandler {
  return async (req, res) => {
    const reply = await replyTo(route, options, { req, res });
    const holders = memoryHoldersOf(options.responseMemory.limits, callerOf(res), req.ip);
    const lease = options.responseMemory.lease(holders);
    await respond({ req, res, lease, mayCompress: route.access !== 'public' }, reply);
  };
}

async function replyTo(
  route: Route,
  { authenticator, limits, knownTokens, bodyMemory }: PipelineOptions,
  { req, res }: { req: Request; res: Response },
): Promise<Reply> {
  const header = (name: string) => req.get(name);
  const authenticated = await authenticate(authenticator, route.access, header('Authorization'));
  if (!authenticated.ok && authenticated.error.code === 'unauthorized') {
    knownTokens.delete(tokenHashOf(req) ?? '');
    return chargeAddressQuota(limits, { req, res }, authenticated);
  }
  if (authenticated.ok && authenticated.caller.kind === 'token') knownTokens.add(authenticated.caller.tokenHash);
  if (route.access !== 'public') {
    const overQuota = await chargeTokenQuota(limits, { req, res });
    if (overQuota) return overQuota;
  }
  if (!authenticated.ok) return authenticated;
  const { caller } = authenticated;
  setLoggedAccountId(res, caller.accountId);
  res.locals['caller'] = caller;
  const brief = chosenBriefForm(route, header);
  // A brief request has the headers of the protocol in its body, so `readAndCheckBody` calls the precheck.
  const refusal = brief ? undefined : route.precheck(header);
  if (refusal) return refusal;

  const query = route.checkQuery?.(req.query);
  if (query && !query.ok) return query;
  const lease = bodyMemory.lease(memoryHoldersOf(bodyMemory.limits, caller, req.ip));
  try {
    const read = await readAndCheckBody(route, { req, res, lease, caller, brief });
    if (!read.ok) return read;
    const params = req.params as Record<string, string>;
    const address = req.ip ?? '';
    const isSealed = wasSealed(req);
    const { method } = req;
    return await read.handle({
      method,
      params,
      query: query?.value,
      body: read.value,
      caller,
      header,
      address,
      isSealed,
    });
  } finally {
    lease.release();
  }
}

const callerOf = (res: Response): Caller => (res.locals['caller'] as Caller | undefined) ?? noCaller;

interface ReadBodyOptions {
  req: Request;
  res: Response;
  lease: MemoryLease;
  caller: Caller;
  brief: BriefForm | undefined;
}

interface CheckedBody {
  ok: true;
  /** The body, which is valid by the route's schema; absent if the route ignores the body. */
  value?: unknown;
  /** The route's handler. For a brief request, it also shortens the reply. */
  handle: Route['handle'];
}

const chosenBriefForm = ({ brief }: Route, header: ApiRequest['header']): BriefForm | undefined =>
  header('Content-Type') === brief?.mediaType ? brief : undefined;

async function readAndCheckBody(
  route: Route,
  { req, res, lease, caller, brief }: ReadBodyOptions,
): Promise<CheckedBody | RefusedReply> {
  if (route.binaryBody !== undefined) {
    const { binaryBody: type, bodyBytesMax: bytesMax, takesBrokenBody } = route;
    const binary = await readBinaryBody(req, res, { type, bytesMax, takesBrokenBody, lease });
    return binary.ok ? { ...binary, handle: route.handle } : binary;
  }
  if (!route.checkBody) return { ok: true, handle: route.handle };
  const takesCompressed = route.access !== 'public';
  const bytesMax = brief?.bytesMax ?? route.bodyBytesMax;
  const read = await readJsonBody(req, res, { bytesMax, takesCompressed, isDeflated: brief !== undefined, lease });
  if (!read.ok) return read;
  const expanded = brief?.expand(read.body, caller);
  if (!expanded) return checkBody(route, res, read.body);
  if (!expanded.ok) return expanded;
  const header = (name: string) => expanded.headers[name] ?? req.get(name);
  const refusal = route.precheck(header);
  if (refusal) return refusal;
  const checked = checkBody(route, res, expanded.body);
  if (!checked.ok) return checked;
  const handle = async (request: ApiRequest) => {
    const reply = await route.handle({ ...request, header });
    return expanded.shorten(reply) ?? reply;
  };
  return { ...checked, handle };
}

function checkBody(route: Route, res: Response, body: unknown): CheckedBody | RefusedReply {
  announceDeprecation(res, body);
  const checked = route.checkBody!(body);
  return checked.ok ? { ...checked, handle: route.handle } : checked;
}
