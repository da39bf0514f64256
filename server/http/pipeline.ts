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
import { readJsonBody } from './body/json-body.ts';
import type { KnownTokens } from './limits/known-tokens.ts';
import { memoryHoldersOf, type MemoryBudget, type MemoryLease } from './limits/memory-budget.ts';
import { setLoggedAccountId } from './observe.ts';
import { chargeAddressQuota, chargeTokenQuota, tokenHashOf } from './limits/rate-limit.ts';
import { respond } from './respond.ts';
import type { Route } from './route.ts';
import type { RateLimits } from '../store/limits/rate-limits.ts';
import type { Reply } from './route-reply.ts';

interface PipelineOptions {
  authenticator: AuthenticationOptions;
  limits: RateLimits;
  knownTokens: KnownTokens;
  /** Limits the memory of request bodies, from the first byte until the handler returns. */
  bodyMemory: MemoryBudget;
  /** Limits the memory of large responses, until the client has read them. */
  responseMemory: MemoryBudget;
}

export function pipeline(route: Route, options: PipelineOptions): RequestHandler {
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
  if (authenticated.ok && authenticated.caller !== noCaller) knownTokens.add(authenticated.caller.tokenHash);
  if (route.access !== 'public') {
    const overQuota = await chargeTokenQuota(limits, { req, res });
    if (overQuota) return overQuota;
  }
  if (!authenticated.ok) return authenticated;
  const { caller } = authenticated;
  setLoggedAccountId(res, caller.accountId);
  res.locals['caller'] = caller;
  const refusal = route.precheck(header);
  if (refusal) return refusal;

  const query = route.checkQuery?.(req.query);
  if (query && !query.ok) return query;
  const lease = bodyMemory.lease(memoryHoldersOf(bodyMemory.limits, caller, req.ip));
  try {
    const body = await readBody(route, { req, res, lease });
    if (body && !body.ok) return body;
    return await route.handle({
      params: req.params as Record<string, string>,
      query: query?.value,
      body: body?.value,
      caller,
      header,
      address: req.ip ?? '',
    });
  } finally {
    lease.release();
  }
}

const callerOf = (res: Response): Caller => (res.locals['caller'] as Caller | undefined) ?? noCaller;

interface BodySource {
  req: Request;
  res: Response;
  lease: MemoryLease;
}

/** Returns undefined if the route ignores the body. */
async function readBody(route: Route, source: BodySource) {
  const { req, res, lease } = source;
  const { binaryBody: type, bodyBytesMax: bytesMax } = route;
  if (type !== undefined) return readBinaryBody(req, res, { type, bytesMax, lease });
  return route.checkBody ? readAndCheckBody(route, source) : undefined;
}

async function readAndCheckBody(route: Route, { req, res, lease }: BodySource) {
  const takesCompressed = route.access !== 'public';
  const read = await readJsonBody(req, res, { bytesMax: route.bodyBytesMax, takesCompressed, lease });
  if (!read.ok) return read;
  announceDeprecation(res, read.body);
  return route.checkBody!(read.body);
}
