/** What every request to a route goes through: token → scope → precheck → query → body → handler → response. */
import type { Request, RequestHandler, Response } from 'express';
import { authenticate, type Authenticator } from './authenticate.ts';
import { announceDeprecation } from './deprecation.ts';
import { readJsonBody } from './json-body.ts';
import { noteAccount } from './observe.ts';
import { chargeAddress } from './rate-limit.ts';
import { respond } from './respond.ts';
import type { Reply, Route } from './route.ts';
import type { RateLimits } from '../store/rate-limits.ts';

interface Gate {
  authenticator: Authenticator;
  limits: RateLimits;
}

export function pipeline(route: Route, gate: Gate): RequestHandler {
  return async (req, res) => respond(req, res, await reply(route, gate, { req, res }));
}

async function reply(
  route: Route,
  { authenticator, limits }: Gate,
  { req, res }: { req: Request; res: Response },
): Promise<Reply> {
  const header = (name: string) => req.get(name);
  const authenticated = await authenticate(authenticator, route.access, header('Authorization'));
  if (!authenticated.ok && authenticated.error.code === 'unauthorized') {
    return chargeAddress(limits, { req, res }, authenticated);
  }
  if (!authenticated.ok) return authenticated;
  noteAccount(res, authenticated.caller.accountId);
  const early = route.precheck(header);
  if (early) return early;

  const query = route.checkQuery?.(req.query);
  if (query && !query.ok) return query;
  const body = route.checkBody ? await checkedBody(route, { req, res }) : undefined;
  if (body && !body.ok) return body;

  return route.handle({
    params: req.params as Record<string, string>,
    query: query?.value,
    body: body?.value,
    caller: authenticated.caller,
    header,
    address: req.ip ?? '',
  });
}

async function checkedBody(route: Route, { req, res }: { req: Request; res: Response }) {
  const read = await readJsonBody(req, res, route.bodyBytesMax);
  if (!read.ok) return read;
  announceDeprecation(res, read.body);
  return route.checkBody!(read.body);
}
